// A host for the tests: sends the files of a folder with the headers that the page asks of a good host.

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

// Serves `folder` on a free port; returns the address, what has violated the policy, whether it is out of reach and how files
// differ from those of the folder (which tests may set), and a function that ends it.
export async function serve(folder) {
  const policy = `${readFileSync(join(folder, "policy.txt"), "utf8").trim()}; report-uri /violations`;
  const violations = [];
  const made = { violations, offline: false, edits: {} };
  const server = createServer((request, response) => {
    // A host that cannot be reached.
    if (made.offline) {
      request.socket.destroy();
      return;
    }
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    if (path === "/violations") {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        violations.push(body);
        response.writeHead(204).end();
      });
      return;
    }
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff" });
    const edit = made.edits[path];
    if (edit) response.end(edit(readFileSync(file, "utf8")));
    else createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  made.address = `http://127.0.0.1:${port}/`;
  made.end = () => new Promise((done) => (server.closeAllConnections(), server.close(done)));
  return made;
}
