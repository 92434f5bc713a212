-- Starts the language server of referee for its files. Neovim 0.7 or later.
local referee = {}

-- The folder above a file with `games`, `scenarios` or `.git`, otherwise the file's own.
local function root(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local at = folder
  while true do
    for _, name in ipairs({ "games", "scenarios", ".git" }) do
      if vim.fn.isdirectory(at .. "/" .. name) == 1 then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ":h")
    if above == at then
      return folder
    end
    at = above
  end
end

local clients = {}

-- Attaches the server to a buffer; one server for each root.
function referee.attach(buffer, options)
  local where = root(vim.api.nvim_buf_get_name(buffer))
  if not clients[where] then
    clients[where] = vim.lsp.start_client({
      name = "referee",
      cmd = options.cmd or { "referee", "lsp" },
      root_dir = where,
      on_attach = options.on_attach,
      capabilities = options.capabilities,
      on_exit = function()
        clients[where] = nil
      end,
    })
  end
  vim.lsp.buf_attach_client(buffer, clients[where])
end

-- Options: `cmd`, `on_attach` and `capabilities` as for other servers.
function referee.setup(options)
  options = options or {}
  local group = vim.api.nvim_create_augroup("referee", {})
  for pattern, filetype in pairs({ ["*.scenario"] = "referee", ["*.game"] = "referee", ["*.house"] = "referee", ["*.rhai"] = "rhai" }) do
    vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
      group = group,
      pattern = pattern,
      callback = function(event)
        vim.bo[event.buf].filetype = filetype
      end,
    })
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = { "referee", "rhai", "yaml", "markdown" },
    callback = function(event)
      if vim.bo[event.buf].buftype == "" then
        referee.attach(event.buf, options)
      end
    end,
  })
  -- The position that play has reached at the cursor, in a window.
  vim.api.nvim_create_user_command("RefereePosition", function()
    local at = vim.lsp.util.make_position_params()
    vim.lsp.buf_request(0, "referee/position", at, function(_, found)
      local text = found and found ~= vim.NIL and found.text or "no position here"
      vim.lsp.util.open_floating_preview(vim.split(text, "\n"), "text", { border = "single" })
    end)
  end, {})
  -- Runs the tests at the cursor.
  vim.api.nvim_create_user_command("RefereeRun", function()
    local line = vim.api.nvim_win_get_cursor(0)[1]
    local command = { command = "referee.run", arguments = { vim.uri_from_bufnr(0), line } }
    vim.lsp.buf_request(0, "workspace/executeCommand", command, function() end)
  end, {})
end

return referee
