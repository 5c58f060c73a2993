// A server whose jobs are in PostgreSQL. The first server, which has no DATABASE_URL, starts a PostgreSQL and saves its
// address: the suite passes a database in it to the other servers.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { createPostgresJobs } from 'appkit-server/jobs/postgres';
import { stopOnSignal } from 'appkit-server/shutdown';
import pg from 'pg';

const { DATABASE_URL: url, APPKIT_DATABASES: placeFile } = process.env;
if (url) await makeDatabase(new URL(url));
else await startPostgres();

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  jobs: url ? createPostgresJobs() : undefined,
});
const server = createServer(handler);
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(`Listening on http://${server.address().address}:${server.address().port}`);
});
stopOnSignal(server, handler);

async function makeDatabase(address) {
  const name = decodeURIComponent(address.pathname.slice(1));
  const all = new URL(address);
  all.pathname = '/postgres';
  const client = new pg.Client(all.href);
  await client.connect();
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rows.length === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  await client.end();
}

async function startPostgres() {
  // Here, where the suite ends leftover processes and removes the folder, however this process ends.
  const folder = mkdtempSync(path.join(import.meta.dirname, 'pg-'));
  const [programs] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  const isRoot = process.getuid() === 0;
  const idOf = (what) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  // PostgreSQL refuses to run as root.
  const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'] : [];
  const run = (start, program, args) => {
    const [command, ...rest] = [...asUser, path.join(programs, program), ...args];
    return start(command, rest, { cwd: folder, stdio: 'pipe' });
  };
  const data = path.join(folder, 'data');
  run(execFileSync, 'initdb', ['-D', data, '-U', 'appkit', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  // From its data, its working directory. It would leave shared memory of another type behind when it is killed.
  const settings = ['fsync=off', 'listen_addresses=', 'unix_socket_directories=..', 'dynamic_shared_memory_type=mmap'];
  const postgres = run(spawn, 'postgres', ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]);
  process.once('exit', () => {
    // Synchronous: a process that still runs would write into the folder again.
    run(execFileSync, 'pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const chunk of postgres.stderr) {
    if (String(chunk).includes('ready to accept connections')) break;
  }
  // A socket's path may have 107 bytes, and the folder's may be longer.
  const sockets = `/proc/${postgres.pid}/cwd/..`;
  const place = `postgres://appkit@localhost/postgres?host=${encodeURIComponent(sockets)}`;
  writeFileSync(path.join(import.meta.dirname, placeFile), place);
}
