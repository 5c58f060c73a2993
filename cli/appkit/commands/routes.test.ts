import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCli } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

const APP = {
  'package.json': '{ "name": "listed", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  'app/+middleware.ts': 'export default function middleware() {}',
  'app/about.tsx': 'export default () => null;',
  'app/users/[id]+api.ts': 'export const GET = () => new Response(); export const DELETE = () => new Response();',
  'app/(shop)/cart+api.ts': 'export const POST = () => new Response();',
};

it('prints URL, methods, file and size of each route, and writes nothing', async () => {
  await using app = await createTemporaryApp(APP);
  const before = await filesOf(app.folder);
  const { code, stdout, stderr } = await runCli(['routes'], { cwd: app.folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^URL +Methods +File +Size$/),
    expect.stringMatching(/^\/about +page +app\/about\.tsx *$/),
    expect.stringMatching(/^\/cart +POST +app\/\(shop\)\/cart\+api\.ts +[\d.]+ k?B$/),
    expect.stringMatching(/^\/users\/\[id\] +GET DELETE +app\/users\/\[id\]\+api\.ts +[\d.]+ k?B$/),
    expect.stringMatching(/^\/ +middleware +app\/\+middleware\.ts +\d+ B$/),
    '',
  ]);
  expect(await filesOf(app.folder)).toEqual(before);
});

/** Its node_modules is a link to the repository's, where other tests write. */
async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('node_modules'));
}

it('prints JSON for other programs', async () => {
  await using app = await createTemporaryApp(APP);
  const { code, stdout } = await runCli(['routes', '--json', app.folder], { cwd: import.meta.dirname });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    pages: [{ pattern: '/about', file: 'app/about.tsx' }],
    routes: [
      { pattern: '/cart', methods: ['POST'], file: 'app/(shop)/cart+api.ts', bytes: expect.any(Number) },
      { pattern: '/users/[id]', methods: ['GET', 'DELETE'], file: 'app/users/[id]+api.ts', bytes: expect.any(Number) },
    ],
    middleware: [{ role: 'top', pattern: '/', file: 'app/+middleware.ts', bytes: expect.any(Number) }],
  });
});

it('prints redirects and rewrites with their targets', async () => {
  const options = {
    redirects: [
      { source: '/basket', destination: '/cart' },
      { source: '/old/[id]', destination: '/users/[id]', permanent: true, methods: ['GET'] },
    ],
    rewrites: [{ source: '/me', destination: '/users/self' }],
  };
  const plugins = [['appkit-router', options]];
  await using app = await createTemporaryApp({
    ...APP,
    'app.json': JSON.stringify({ web: { output: 'server' }, plugins }),
  });
  const { code, stdout } = await runCli(['routes'], { cwd: app.folder });
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(5)).toEqual([
    expect.stringMatching(/^\/basket +307 \/cart$/),
    expect.stringMatching(/^\/old\/\[id\] +GET +308 \/users\/\[id\]$/),
    expect.stringMatching(/^\/me +as \/users\/self$/),
    '',
  ]);
  const json = await runCli(['routes', '--json'], { cwd: app.folder });
  expect(JSON.parse(json.stdout)).toMatchObject(options);
});

it('says how to begin when no routes exist', async () => {
  await using app = await createTemporaryApp({ 'package.json': '{}', 'app.json': '{}', 'app/.keep': '' });
  const { code, stdout } = await runCli(['routes'], { cwd: app.folder });
  expect([code, stdout]).toEqual([
    0,
    'There are no routes. Create a first one: app/hello+api.ts, which exports GET.\n',
  ]);
});

it('prints the problems of the routes and exits with 1', async () => {
  await using app = await createTemporaryApp({ ...APP, 'app/cart+api.ts': 'export const GET = () => new Response();' });
  const { code, stdout, stderr } = await runCli(['routes', '--json'], { cwd: app.folder });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: app\/\S*cart\+api\.ts/);
});
