import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { exportApp } from 'appkit-build';
import { expect, it } from 'vitest';
import { createHandler } from '../runtime/handler.ts';
import { filesIn, writeSamples } from './guide-samples.ts';

const root = path.join(import.meta.dirname, '..');

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'preserve',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['app', 'server', '.appkit/types/**/*.d.ts'],
};

it('compiles and runs every example of the contracts guide', async () => {
  const files = filesIn('docs/guide/contracts.md');
  expect([...files.keys()]).toEqual([
    'app/notes/index+api.ts',
    'server/notes.ts',
    'app/notes/[id]+api.ts',
    'app/api/+middleware.ts',
    'server/first-note.ts',
    'app/rooms+api.ts',
  ]);
  files.set(
    'app/first+api.ts',
    `import { addFirstNote } from '../server/first-note.ts';
    export const POST = async (request: Request) => new Response(await addFirstNote(await request.text()));`,
  );
  files.set('app/api/notes+api.ts', "export { POST } from '../notes/index+api.ts';");
  files.set('package.json', '{ "type": "module" }');
  files.set('tsconfig.json', JSON.stringify(CONFIG));
  const folder = writeSamples(files);
  await mkdir(path.join(folder, 'node_modules/@valibot'), { recursive: true });
  for (const [name, from] of [
    ['appkit-server', 'runtime'],
    ['appkit-router', 'router'],
    ['zod', 'node_modules/zod'],
    ['valibot', 'node_modules/valibot'],
    ['@valibot/to-json-schema', 'node_modules/@valibot/to-json-schema'],
  ] as const) {
    await symlink(path.join(root, from), path.join(folder, 'node_modules', name), 'junction');
  }
  await writeFile(path.join(folder, 'app.json'), '{ "web": { "output": "server" } }');
  const { warnings } = await exportApp({ projectRoot: folder, openapi: 'client' });
  expect(warnings).toEqual([]);
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => error);
  expect(compiled).toMatchObject({ stdout: '' });

  const build: unknown = createRequire(import.meta.url)(path.join(folder, 'dist/server/index.js'));
  const handler = createHandler(build);
  const ask = async (target: string, init?: RequestInit): Promise<unknown[]> => {
    const response = await handler(new Request(`http://app.test${target}`, init));
    const text = await response.text();
    return [response.status, text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text];
  };
  const post = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(await ask('/notes', post('{"title":"milk"}'))).toEqual([201, { id: 1, title: 'milk' }]);
  expect(await ask('/notes?search=il')).toEqual([200, [{ id: 1, title: 'milk' }]]);
  expect(await ask('/notes/1')).toEqual([200, { id: 1, title: 'milk' }]);
  expect(await ask('/notes/2')).toEqual([404, { error: 'There is no such note.' }]);
  expect(await ask('/notes/x')).toMatchObject([400, { errors: [{ in: 'path', pointer: '#/id' }] }]);
  expect(await ask('/first', { method: 'POST', body: 'bread' })).toEqual([200, 'added as 2']);
  expect(await ask('/first', { method: 'POST', body: '' })).toEqual([200, 'refused with 400']);
  expect(await ask('/api/notes', post('{"title":""}'))).toEqual([
    422,
    { errors: { title: ['Too small: expected string to have >=1 characters'] } },
  ]);
  expect(await ask('/rooms', post('{"name":"attic"}'))).toEqual([201, { name: 'attic' }]);
  const document = JSON.parse(readFileSync(path.join(folder, 'dist/client/openapi.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(Object.keys(document['paths'] as object)).toEqual(['/api/notes', '/first', '/notes', '/notes/{id}', '/rooms']);
  expect(await new Validator().validate(document)).toEqual({ valid: true });

  const [problem] = [...guideBlocks('json')].map((text) => JSON.parse(text) as unknown);
  expect(await ask('/notes', post('{"title":""}'))).toEqual([400, problem]);
});

/** The blocks of one language in the guide. */
function guideBlocks(language: string): string[] {
  const text = readFileSync(path.join(root, 'docs/guide/contracts.md'), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}
