import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';

/** A separate cache in front of an app. */
export interface RealCache {
  origin: string;
  stop(): Promise<void>;
}

/** Starts a cache in front of a port. It writes into `folder`. */
export type StartCache = (upstreamPort: number, port: number, folder: string) => Promise<RealCache>;

/** nginx, configured to cache only what the answers allow. */
export const startNginx: StartCache = async (upstreamPort, port, folder) => {
  // Otherwise its workers would run as another user than the owner of the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `
${user}
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=app:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      proxy_cache app;
      proxy_cache_valid any 60s;
    }
  }
}
`;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'nginx.conf'), config);
  return startCache(['nginx', '-p', folder, '-c', path.join(folder, 'nginx.conf')], port);
};

/** Varnish in its default configuration. */
export const startVarnish: StartCache = async (upstreamPort, port, folder) => {
  await mkdir(folder, { recursive: true });
  const listen = `127.0.0.1:${port}`;
  const backend = `127.0.0.1:${upstreamPort}`;
  return startCache(
    ['varnishd', '-F', '-j', 'none', '-n', folder, '-a', listen, '-b', backend, '-s', 'malloc,16m'],
    port,
  );
};

async function startCache([program = '', ...args]: string[], port: number): Promise<RealCache> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  await untilListening(child, port, () => printed);
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function untilListening(child: ChildProcess, port: number, printed: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It has ended with ${child.exitCode}: ${printed()}`);
    const isListening = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => setTimeout(resolve, 20, false));
    });
    if (isListening) return;
  }
}
