/**
 * `npm run uploads`: examples/uploads as its README describes it, with files on the disk and in S3-compatible storage.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../conformance/command.ts';
import { findFreePort } from '../conformance/generic/free-port.ts';
import { installLocked } from '../conformance/install-locked.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

const repository = path.resolve(import.meta.dirname, '..');
const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-uploads-'));
const closing: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
try {
  const tools = await installLocked(
    path.join(repository, 'tools/uploads'),
    path.join(repository, '.cache/tools/uploads'),
  );
  const project = path.join(scratch, 'uploads');
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  await createProject({ from: path.join(repository, 'examples/uploads'), into: project, tarballs, omitDev: false });
  await checks.run('the example type-checks', () => runCommand([...npmCommand(), 'run', 'types'], { cwd: project }));
  await runCommand([...npmCommand(), 'run', 'build'], { cwd: project });
  const [folder, bucket] = [path.join(scratch, 'files'), path.join(scratch, 'bucket')];
  await mkdir(bucket);
  const storage = await startServer({
    command: ['node', path.join(repository, 'tools/uploads/storage.mjs'), tools, bucket],
    folder: scratch,
    env: serverEnvironment,
    ready: /(http:\/\/\S+)/,
    outlivesBehaviours: true,
  });
  closing.push(() => storage.stop());
  const server = await startServer({
    command: ['node', 'node_modules/appkit-cli/bin/appkit.js', 'serve'],
    folder: project,
    env: {
      ...serverEnvironment,
      PORT: String(await findFreePort()),
      UPLOADS_FOLDER: folder,
      S3_ENDPOINT: storage.origin,
      S3_BUCKET: 'uploads',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_REGION: 'us-east-1',
    },
    ready: /(http:\/\/\S+)/,
    outlivesBehaviours: true,
  });
  closing.push(() => server.stop());
  await checkDisk(server.origin, folder);
  await checkStorage(server.origin, storage.origin);
} finally {
  for (const close of closing.toReversed()) await close();
}
process.exitCode = checks.report();

async function checkDisk(origin: string, folder: string): Promise<void> {
  const filesOf = async (): Promise<string[]> => (await readdir(folder).catch(() => [])).toSorted();
  const send = async (files: readonly Buffer<ArrayBuffer>[]): Promise<Response> => {
    const form = new FormData();
    for (const [index, content] of files.entries()) form.append('file', new Blob([content]), `../${index}.bin`);
    return fetch(`${origin}/files`, { method: 'POST', body: form });
  };
  // A refused upload may find its connection closed before all of it has been sent.
  const statusOf = (answer: Promise<Response>): Promise<number> => answer.then(({ status }) => status);

  await checks.run('two files are saved as they were sent, under names of the server', async () => {
    const files = [randomBytes(5_000_000), randomBytes(10)];
    const response = await send(files);
    assert.equal(response.status, 201);
    const { saved } = (await response.json()) as { saved: { id: string; name: string; bytes: number }[] };
    assert.deepEqual(await filesOf(), saved.map(({ id }) => id).toSorted());
    for (const [index, { id, bytes }] of saved.entries()) {
      assert.equal(bytes, files[index]?.length);
      assert.deepEqual(hashOf(await readFile(path.join(folder, id))), hashOf(files[index] ?? Buffer.alloc(0)));
      await rm(path.join(folder, id));
    }
  });
  await checks.run('a file is written while it arrives', () => checkArriving(origin, folder));
  await checks.run('a file over the limit is 413, and nothing is left', async () => {
    assert.equal(await statusOf(send([randomBytes(10), Buffer.alloc(20_000_001)])), 413);
    assert.deepEqual(await filesOf(), []);
  });
  await checks.run('too many files are 413, and nothing is left', async () => {
    assert.equal(await statusOf(send(Array.from({ length: 6 }, () => randomBytes(10)))), 413);
    assert.deepEqual(await filesOf(), []);
  });
  await checks.run('another type is 415, and a form that ends in the middle 400', async () => {
    assert.equal((await fetch(`${origin}/files`, { method: 'POST', body: 'text' })).status, 415);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const body = `${fileHead('b')}half of it`;
    assert.equal((await fetch(`${origin}/files`, { method: 'POST', body, headers })).status, 400);
    assert.deepEqual(await filesOf(), []);
  });
}

async function checkArriving(origin: string, folder: string): Promise<void> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: readable, duplex: 'half' };
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const answered = fetch(`${origin}/files`, { ...init, headers });
  await writer.write(Buffer.from(fileHead('b')));
  await writer.write(Buffer.alloc(1_000_000));
  let bytes = 0;
  while (bytes < 500_000) {
    const [part] = await readdir(folder);
    bytes = part === undefined ? 0 : (await stat(path.join(folder, part))).size;
    if (part !== undefined) assert.match(part, /\.part$/);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await writer.write(Buffer.from('\r\n--b--\r\n'));
  await writer.close();
  const { saved } = (await (await answered).json()) as { saved: { id: string; bytes: number }[] };
  assert.equal(saved[0]?.bytes, 1_000_000);
  await rm(path.join(folder, saved[0].id));
}

async function checkStorage(origin: string, storage: string): Promise<void> {
  const content = randomBytes(3_000_000);
  const sign = (body: object): Promise<Response> =>
    fetch(`${origin}/signed-uploads`, { method: 'POST', body: JSON.stringify(body) });
  const upload = async (change: { body?: Buffer<ArrayBuffer>; type?: string; url?: (url: string) => string }) => {
    const answer = await (await sign({ type: 'image/png', bytes: content.length })).json();
    const { key, url, method, headers } = answer as { key: string; url: string; method: string; headers: object };
    const { body = content, type = 'image/png' } = change;
    const target = change.url?.(url) ?? url;
    const { status } = await fetch(target, { method, body, headers: { ...headers, 'content-type': type } });
    return { key, status };
  };
  await checks.run('a signed upload reaches the storage', async () => {
    const { key, status } = await upload({});
    assert.equal(status, 200);
    const stored = await readStored(storage, key);
    assert.equal(hashOf(stored), hashOf(content));
  });
  await checks.run('the storage refuses another type, another size, and another name', async () => {
    assert.equal((await upload({ type: 'text/html' })).status, 403);
    assert.equal((await upload({ body: randomBytes(content.length + 1) })).status, 403);
    assert.equal((await upload({ url: (url) => url.replace(/\/[\da-f-]{36}\?/, '/other?') })).status, 403);
  });
  await checks.run('the app signs only what it allows', async () => {
    assert.equal((await sign({ type: 'text/html', bytes: 1 })).status, 415);
    assert.equal((await sign({ type: 'image/png', bytes: 6e9 })).status, 413);
    assert.equal((await sign({ type: 'image/png', bytes: '1' })).status, 400);
    assert.equal((await sign({ type: 'x'.repeat(1000), bytes: 1 })).status, 413);
  });
}

async function readStored(storage: string, key: string): Promise<Buffer> {
  // s3rver lets anybody read.
  const response = await fetch(`${storage}/uploads/${key}`);
  return Buffer.from(await response.arrayBuffer());
}

function fileHead(boundary: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
