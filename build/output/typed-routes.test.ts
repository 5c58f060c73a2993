import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { describeApp } from '../app/describe-app.ts';
import { createProject } from '../fixtures/create-project.ts';
import { TYPES_FILE, writeTypedRoutes } from './typed-routes.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const TSC = path.join(REPOSITORY, 'node_modules/.bin/tsc');

const FILES = {
  'package.json': '{ "name": "typed", "type": "module" }',
  'app/index+api.ts': 'export const GET = () => 1 as const;',
  'app/(shop)/items/[id]+api.ts': `
    import type { RouteParams } from 'appkit-server';
    export async function GET(request: Request, { id }: RouteParams<'/items/[id]'>): Promise<{ item: string }> {
      return { item: id };
    }
    export function DELETE(): Response {
      return new Response();
    }`,
  'app/users/[user-id]/[...path]+api.tsx': 'export function POST(): Response { return new Response(); }',
};

const USES = `
  import type { Register, RouteParams } from 'appkit-server';
  import type { Register as RouterRegister } from 'appkit-router';
  type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
  type Routes = Register['routes'];
  export const checks: [
    Same<RouteParams<'/items/[id]'>, { id: string }>,
    Same<RouteParams<'/users/[user-id]/[...path]'>, { 'user-id': string; path: string }>,
    Same<keyof RouteParams<'/'>, never>,
    Same<RouteParams<'/about/[page]'>, { page: string }>,
    Same<keyof Routes, '/' | '/items/[id]' | '/users/[user-id]/[...path]' | '/about/[page]'>,
    Same<keyof Routes['/items/[id]']['methods'], 'GET' | 'DELETE'>,
    Same<Routes['/items/[id]']['methods']['GET'], { item: string }>,
    Same<Routes['/users/[user-id]/[...path]']['methods']['POST'], Response>,
    Same<Routes['/']['methods']['GET'], 1>,
    Same<RouterRegister['routes'], Routes>,
  ] = [true, true, true, true, true, true, true, true, true, true];
`;

const toConfig = (options: object): string =>
  JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, skipLibCheck: false, types: [], jsx: 'react-jsx', ...options },
    include: ['app', '*.ts', '.appkit/types/**/*.d.ts'],
  });

async function createTypedProject(files: Record<string, string>): Promise<string> {
  const root = await createProject({
    ...FILES,
    'node_modules/appkit-router/package.json': '{ "name": "appkit-router", "types": "./index.d.ts" }',
    'node_modules/appkit-router/index.d.ts': 'export interface Register {}',
    ...files,
  });
  await symlink(path.join(REPOSITORY, 'runtime'), path.join(root, 'node_modules/appkit-server'), 'junction');
  return root;
}

/** TypeScript's messages for a project. */
async function compile(root: string): Promise<string> {
  try {
    return (await promisify(execFile)(TSC, ['-p', root])).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it.each([
  { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'] },
  { module: 'nodenext', lib: ['es2023', 'dom'] },
])('types the parameters and the responses of each route, with $module', async (options) => {
  const root = await createTypedProject({ 'uses.ts': USES, 'tsconfig.json': toConfig(options) });
  await writeTypedRoutes({ ...(await describeApp({ projectRoot: root })), pagePatterns: ['/about/[page]'] });
  expect(await compile(root)).toBe('');
});

it('refuses a wrong parameter and an unknown route', async () => {
  const root = await createTypedProject({
    'tsconfig.json': toConfig({ module: 'nodenext', lib: ['es2023', 'dom'] }),
    'uses.ts': `
      import type { RouteParams } from 'appkit-server';
      export const slug = (params: RouteParams<'/items/[id]'>) => params.slug;
      export type Unknown = RouteParams<'/nowhere'>;`,
  });
  await writeTypedRoutes(await describeApp({ projectRoot: root }));
  const said = await compile(root);
  expect(said).toMatch(/uses\.ts\(3,.*Property 'slug' does not exist/);
  expect(said).toMatch(/uses\.ts\(4,.*"\/nowhere"/);
});

it('checks links, parameters and calls of routes', async () => {
  const root = await createProject({
    ...FILES,
    'app/posts/[slug].tsx': 'export default function Post() { return null; }',
    'app/about.tsx': 'export default function About() { return null; }',
    'tsconfig.json': toConfig({ module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'] }),
    'right.ts': `
      import { fetchRoute, router, useLocalSearchParams, type Href, type LinkProps } from 'appkit-router';
      export const links: LinkProps['href'][] = ['/about', '/about?x=1', '/posts/a#b', '#top', 'https://other.example/'];
      export const href: Href = \`/posts/\${'slug'}\`;
      router.push('/about');
      const { slug, page } = useLocalSearchParams<'/posts/[slug]'>();
      export const used: [string, string | string[] | undefined] = [slug, page];
      export const calls: Promise<Response>[] = [
        fetchRoute('/'),
        fetchRoute('/items/[id]', { params: { id: '7' }, query: { x: 1 } }),
        fetchRoute('/items/[id]', { params: { id: '7' }, method: 'DELETE' }),
        fetchRoute('/users/[user-id]/[...path]', { params: { 'user-id': '1', path: 'a/b' }, method: 'POST', body: '' }),
      ];`,
    'wrong.ts': `
      import { fetchRoute, router, useLocalSearchParams, type LinkProps } from 'appkit-router';
      export const link: LinkProps['href'] = '/abuot';
      router.push('/abuot');
      useLocalSearchParams<'/posts/[id]'>();
      export const slug: number = useLocalSearchParams<'/posts/[slug]'>().slug;
      fetchRoute('/about');
      fetchRoute('/items/[id]');
      fetchRoute('/items/[id]', { params: { slug: '7' } });
      fetchRoute('/items/[id]', { params: { id: '7' }, method: 'PUT' });
      fetchRoute('/users/[user-id]/[...path]', { params: { 'user-id': '1', path: 'a/b' } });`,
  });
  for (const [name, folder] of [
    ['appkit-server', 'runtime'],
    ['appkit-router', 'router'],
  ] as const) {
    await mkdir(path.join(root, 'node_modules'), { recursive: true });
    await symlink(path.join(REPOSITORY, folder), path.join(root, 'node_modules', name), 'junction');
  }
  const app = await describeApp({ projectRoot: root });
  await writeTypedRoutes({ ...app, pagePatterns: app.site?.pages.map(({ pattern }) => pattern) ?? [] });
  const lines = new Set(
    [...(await compile(root)).matchAll(/^\S*\/(\w+\.tsx?)\((\d+)/gm)].map(([, file, line]) => `${file} ${line}`),
  );
  expect([...lines].toSorted()).toEqual(
    ['10', '11', '3', '4', '5', '6', '7', '8', '9'].map((line) => `wrong.ts ${line}`),
  );
});

it('accepts a route in JavaScript in an app that does not check it', async () => {
  const root = await createTypedProject({
    'app/plain+api.js': 'export const GET = () => new Response();',
    'tsconfig.json': toConfig({ module: 'nodenext', lib: ['es2023', 'dom'] }),
    'uses.ts': `
      import type { Register } from 'appkit-server';
      export const method: keyof Register['routes']['/plain']['methods'] = 'GET';`,
  });
  await writeTypedRoutes(await describeApp({ projectRoot: root }));
  expect(await compile(root)).toBe('');
});

it('checks calls of a route and its responses by its contract', async () => {
  const root = await createProject({
    'package.json': '{ "name": "typed", "type": "module" }',
    'app/notes+api.ts': `
      import { contract } from 'appkit-server/contract';
      import { z } from 'zod';
      const Note = z.object({ title: z.string(), at: z.date() });
      export const GET = contract({ input: { query: z.object({ tag: z.string().optional() }) }, output: z.array(Note) }, () => []);
      export const POST = contract(
        { input: { body: z.object({ title: z.string() }) }, output: { 201: Note, 409: z.object({ taken: z.string() }) } },
        (_request, { body }) => ({ ...body, at: new Date() }),
      );
      export const PUT = contract({ input: { headers: z.object({ 'if-match': z.string() }), query: z.object({ by: z.string() }) } }, () => new Response());
      const Upload = z.object({ note: z.string(), files: z.array(z.file()).optional() });
      export const PATCH = contract({ input: { body: Upload } }, () => new Response());
      export const DELETE = () => new Response();`,
    'app/names+api.ts': `
      import { contract } from 'appkit-server/contract';
      import { z } from 'zod';
      export const Name = z.string().brand<'Name'>();
      export const GET = contract({ output: z.array(Name) }, () => []);
      export const POST = contract({ input: { body: z.object({ name: z.string(), more: z.any() }) } }, () => new Response());
      export const PUT = contract({ input: { body: z.any() } }, () => new Response());`,
    'tsconfig.json': toConfig({
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
    }),
    'right.ts': `
      import { fetchRoute } from 'appkit-router';
      import type { z } from 'zod';
      import type { Name } from './app/names+api.js';
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      const list = await fetchRoute('/notes');
      if (!list.ok) throw new Error(String(list.status));
      const notes = await list.json();
      const made = await fetchRoute('/notes', { method: 'POST', body: { title: 'a' }, headers: { 'x-own': '1' } });
      const note = made.ok ? await made.json() : undefined;
      const taken = made.status === 409 ? await made.json() : undefined;
      const unknown = made.status === 400 ? await made.json() : undefined;
      const named = await fetchRoute('/names');
      const names = named.ok ? await named.json() : undefined;
      const untyped = await fetchRoute('/notes', { method: 'DELETE', body: 'any' });
      await fetchRoute('/notes', { query: { tag: 'a' } });
      await fetchRoute('/notes', { method: 'POST', body: new FormData() });
      await fetchRoute('/notes', { method: 'PUT', headers: { 'if-match': '*' }, query: { by: 'me' } });
      await fetchRoute('/notes', { method: 'PATCH', body: new FormData() });
      await fetchRoute('/names', { method: 'POST', body: { name: 'a', more: { b: 1 } } });
      await fetchRoute('/names', { method: 'PUT', body: { any: 1 } });
      export const checks: [
        Same<typeof notes, { title: string; at: string }[]>,
        Same<typeof note, { title: string; at: string } | undefined>,
        Same<typeof taken, { taken: string } | undefined>,
        Same<typeof unknown, unknown>,
        Same<typeof names, z.infer<typeof Name>[] | undefined>,
        Same<typeof untyped, Response>,
      ] = [true, true, true, true, true, true];`,
    'wrong.ts': `
      import { fetchRoute } from 'appkit-router';
      fetchRoute('/notes', { method: 'POST' });
      fetchRoute('/notes', { method: 'POST', body: { title: 1 } });
      fetchRoute('/notes', { method: 'POST', body: { name: 'a' } });
      fetchRoute('/notes', { query: { tag: 1 } });
      fetchRoute('/notes', { method: 'PUT', query: { by: 'me' } });
      fetchRoute('/notes', { method: 'PUT', headers: { 'if-match': '*' } });
      export const title: number = await (await fetchRoute('/notes', { method: 'POST', body: { title: 'a' } })).json();
      fetchRoute('/notes', { method: 'PATCH', body: { note: 'a', files: [new File([], 'a')] } });`,
  });
  await mkdir(path.join(root, 'node_modules'), { recursive: true });
  for (const [name, folder] of [
    ['appkit-server', 'runtime'],
    ['appkit-router', 'router'],
    ['zod', 'node_modules/zod'],
  ] as const) {
    await symlink(path.join(REPOSITORY, folder), path.join(root, 'node_modules', name), 'junction');
  }
  await writeTypedRoutes(await describeApp({ projectRoot: root }));
  const said = await compile(root);
  const lines = new Set([...said.matchAll(/^\S*\/(\w+\.tsx?)\((\d+)/gm)].map(([, file, line]) => `${file} ${line}`));
  expect([...lines].toSorted(), said).toEqual(
    ['10', '3', '4', '5', '6', '7', '8', '9'].map((line) => `wrong.ts ${line}`),
  );
});

it('is written as a whole, and only when something has changed', async () => {
  const root = await createProject(FILES);
  const app = await describeApp({ projectRoot: root });
  expect(await writeTypedRoutes(app)).toBe(true);
  const file = path.join(root, TYPES_FILE);
  const { mtimeMs, ino } = await stat(file);
  expect(await writeTypedRoutes(app)).toBe(false);
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });

  await mkdir(path.join(root, 'app/more'));
  await writeFile(path.join(root, 'app/more/[name]+api.ts'), 'export const GET = () => new Response();');
  expect(await writeTypedRoutes(await describeApp({ projectRoot: root }))).toBe(true);
  expect(await readFile(file, 'utf8')).toContain('"/more/[name]"');
  expect((await stat(file)).ino).not.toBe(ino);
  expect(await readdir(path.dirname(file))).toEqual(['routes.d.ts']);
});

it('does not mention appkit-router when it is not installed', async () => {
  const root = await createProject(FILES);
  await writeTypedRoutes(await describeApp({ projectRoot: root }));
  expect(await readFile(path.join(root, TYPES_FILE), 'utf8')).not.toContain('appkit-router');
});
