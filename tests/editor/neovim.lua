-- Run by tests/editor/neovim.rs: attaches to the language server, sees an error, applies its fix, completes, and formats.
local function stop(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, holds)
  if not vim.wait(30000, holds, 50) then
    stop("waited in vain: " .. what)
  end
end

require("referee").setup({ cmd = { vim.env.REFEREE, "lsp" } })
vim.cmd("filetype on")
vim.cmd("edit a.scenario")

wait("the server attaches", function()
  local clients = vim.lsp.buf_get_clients(0)
  return next(clients) ~= nil and select(2, next(clients)).initialized
end)

-- An error at its line, with the word that is meant.
wait("a diagnostic", function()
  return #vim.diagnostic.get(0) == 1
end)
local found = vim.diagnostic.get(0)[1]
if found.lnum ~= 4 or found.col ~= 7 or not found.message:find("did you mean `distance`?", 1, true) then
  stop("another diagnostic: " .. vim.inspect(found))
end

-- Its fix.
vim.api.nvim_win_set_cursor(0, { 5, 8 })
local asked = vim.lsp.util.make_range_params()
asked.context = { diagnostics = {} }
local _, answer = next(vim.lsp.buf_request_sync(0, "textDocument/codeAction", asked, 30000))
local fix = answer.result[1]
if fix.title ~= "Change to `distance`" then
  stop("another fix: " .. vim.inspect(answer))
end
vim.lsp.util.apply_workspace_edit(fix.edit, "utf-16")
wait("no diagnostic", function()
  return #vim.diagnostic.get(0) == 0
end)

-- Completion, through Neovim's own function.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "  red w" })
vim.api.nvim_win_set_cursor(0, { 6, 7 })
local at = vim.lsp.util.make_position_params()
at.position.character = 7
local _, completed = next(vim.lsp.buf_request_sync(0, "textDocument/completion", at, 30000))
local label = completed.result[1].label
if label ~= "red walk to a2" then
  stop("another completion: " .. vim.inspect(completed.result[1]))
end
vim.api.nvim_buf_set_lines(0, 5, 6, false, {})

-- Formatting: the line with too many spaces.
if vim.lsp.buf.format then
  vim.lsp.buf.format({ timeout_ms = 30000 })
else
  vim.lsp.buf.formatting_sync(nil, 30000)
end
vim.cmd("write")

-- The position at the cursor.
vim.api.nvim_win_set_cursor(0, { 5, 0 })
local _, position = next(vim.lsp.buf_request_sync(0, "referee/position", vim.lsp.util.make_position_params(), 30000))
if not position.result.text:find("asks red walk", 1, true) then
  stop("another position: " .. vim.inspect(position))
end
vim.cmd("qall!")
