// Runs `netlify serve`, Netlify's own emulator, which builds as `netlify build` does, on a free port.
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const port = await freePort();
// The build command of netlify.toml, replaced since the suite has already exported the app with the packed CLI.
writeFileSync('appkit', '#!/bin/sh\n[ "$*" = "export -p web" ] && [ -f dist/server/index.js ]\n');
chmodSync('appkit', 0o755);
const serve = spawn('netlify', ['serve', '--offline', '--geo=mock', '--port', String(port)], {
  env: { ...process.env, PATH: [path.resolve('.'), process.env.PATH].join(path.delimiter) },
  stdio: ['ignore', 'pipe', 'pipe'],
});
for (const stream of [serve.stdout, serve.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    if (text.includes('dev server ready')) console.log(`Listening on http://localhost:${port}`);
  });
}
serve.once('exit', (code) => process.exit(code ?? 0));
process.once('SIGTERM', () => serve.kill('SIGTERM'));

function freePort() {
  const server = createServer().listen(0);
  return new Promise((done) => {
    server.once('listening', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
