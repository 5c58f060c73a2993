// Runs `vercel dev --local`, Vercel's own emulator, on a free port. Its three services need ports as well.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

// If the project were linked, it would be looked up over the network.
rmSync('.vercel', { recursive: true, force: true });

const ports = await Promise.all(Array.from({ length: 4 }, freePort));
const [port, ...services] = ports;
const flags = ['queue-port', 'runtime-cache-port', 'schedules-port'].flatMap((name, index) => [
  `--${name}`,
  String(services[index]),
]);
const dev = spawn(
  'vercel',
  ['dev', '--local', '--yes', '--listen', `127.0.0.1:${port}`, '--global-config', '.vercel-global', ...flags],
  {
    env: { ...process.env, PATH: [path.join(import.meta.dirname, 'bin'), process.env.PATH].join(path.delimiter) },
    stdio: ['ignore', 'inherit', 'pipe'],
  },
);
dev.stderr.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text.includes('Ready!') ? `Listening on http://127.0.0.1:${port}\n` : text);
});
dev.once('exit', (code) => process.exit(code === null ? 0 : code));
process.once('SIGTERM', () => dev.kill('SIGTERM'));

// Free until another process takes it: Vercel's flags do not support port 0.
function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  return new Promise((resolve) => {
    server.once('listening', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
