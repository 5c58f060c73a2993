import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describePlace, openJobs } from './open-jobs.ts';

it.each([
  ['postgres://ada:secret@db.example:5433/shop', 'PostgreSQL at db.example:5433/shop'],
  ['postgres://ada:secret@localhost/shop?host=db.example', 'PostgreSQL at db.example/shop'],
  // An unencoded password ends up in other parts of the URL.
  ['postgres://ada:12/secret@db.example/shop', 'PostgreSQL at DATABASE_URL'],
  ['postgres://ada:se#cret@db.example/shop', 'PostgreSQL at DATABASE_URL'],
  ['postgres://ada:12?secret@db.example/shop', 'PostgreSQL at DATABASE_URL'],
])('names %s without its password', (url, name) => {
  expect(describePlace({ url })).toBe(name);
});

it('names the schema, if the variable is set', () => {
  vi.stubEnv('APPKIT_JOBS_SCHEMA', 'shop_jobs');
  expect(describePlace({ url: 'postgres://db.example/shop' })).toBe('PostgreSQL at db.example/shop, schema shop_jobs');
});

it('says what it is waiting for while PostgreSQL does not answer', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}/shop`;
  vi.stubEnv('DATABASE_URL', `postgres://ada:secret@${address}`);
  const opening = openJobs(tmpdir(), { work: false });
  await vi.waitFor(
    () => expect(log).toHaveBeenCalledWith(`Waiting for PostgreSQL at ${address}, where the jobs are.`),
    { timeout: 60_000 },
  );
  expect(sockets.length).toBeGreaterThan(0);
  silent.on('connection', (socket) => socket.destroy());
  for (const socket of sockets) socket.destroy();
  await (await opening).close();
  expect(log.mock.calls.flat().join('\n')).toContain('It is tried again, and enqueue() rejects until then.');
  log.mockRestore();
});

it('says which file cannot be used, and how to name another', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'appkit-bad-jobs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = path.join(root, 'notes.txt');
  writeFileSync(file, 'no database '.repeat(1000));
  for (const [name, reason] of [
    [file, 'file is not a database'],
    [path.join(file, 'jobs.sqlite'), "EEXIST: file already exists, mkdir '.+'"],
  ] as const) {
    vi.stubEnv('APPKIT_JOBS', name);
    await expect(openJobs(root)).rejects.toMatchObject({
      message: expect.stringMatching(`^${name}, where the jobs are, cannot be used: ${reason}\\.$`),
      fix: expect.stringContaining('APPKIT_JOBS'),
    });
  }
});

it('says what the engine says of a file that it cannot use', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'appkit-newer-jobs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = path.join(root, 'jobs.sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 1000');
  database.close();
  vi.stubEnv('APPKIT_JOBS', file);
  await expect(openJobs(root)).rejects.toMatchObject({
    message: expect.stringMatching(`^${file} has the jobs of a newer appkit-server .+\\.$`),
    fix: 'Install that release, or name another file.',
  });
});

it('warns about jobs that were left in the file, and says how to run them', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const root = mkdtempSync(path.join(tmpdir(), 'appkit-left-jobs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = path.join(root, '.appkit', 'jobs.sqlite');
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/shop');
  const before = createSqliteJobs({ file, work: false });
  const { enqueue } = before.connect({ build: { manifest: { version: 6, routes: [], jobs: [] }, modules: {} } });
  const open = async (): Promise<string> => {
    log.mockClear();
    await (await openJobs(root)).close();
    return log.mock.calls.flat().join('\n');
  };
  expect(await open()).not.toContain('jobs.sqlite');
  await enqueue({ v: 1, id: crypto.randomUUID(), job: 'mail', input: 1, runAt: 0, attempt: 0 });
  await before.close();
  expect(await open()).toContain(`APPKIT_JOBS=${file} appkit work`);
  writeFileSync(file, 'no database');
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  expect(await open()).toContain(`${file} may have jobs that nothing runs, and cannot be read: `);
  log.mockRestore();
});
