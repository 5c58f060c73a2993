import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { createProject } from '../fixtures/create-project.ts';
import { ExportError, exportApp } from '../index.ts';
import type { ExportResult, OpenApiPlace } from '../index.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');

const BEARER = { type: 'http', scheme: 'bearer' };

const FILES = {
  'package.json': '{ "name": "shop", "version": "2.1.0", "description": "Sells things." }',
  'app.json': JSON.stringify({
    web: { output: 'server' },
    plugins: [['appkit-router', { origin: 'https://shop.example', securitySchemes: { bearer: BEARER } }]],
  }),
  'app/notes+api.ts': `
    import { contract } from 'appkit-server/contract';
    import { z } from 'zod';
    globalThis.evaluatedNotes = true;
    const input = { body: z.object({ title: z.string() }) };
    export const POST = contract({ input, security: [{ bearer: [] }] }, () => new Response());`,
  'app/items/[id]+api.ts': 'export const GET = () => new Response();',
};

async function exportDescribed(
  files: Record<string, string>,
  openapi?: OpenApiPlace,
): Promise<ExportResult & { text?: string }> {
  const projectRoot = await createProject(files);
  await mkdir(path.join(projectRoot, 'node_modules'));
  for (const [name, folder] of [
    ['appkit-server', 'runtime'],
    ['zod', 'node_modules/zod'],
  ] as const) {
    await symlink(path.join(REPOSITORY, folder), path.join(projectRoot, 'node_modules', name), 'junction');
  }
  const result = await exportApp({ projectRoot, openapi });
  const file = path.join(result.outputDir, openapi === 'client' ? 'client' : '', 'openapi.json');
  return { ...result, ...(existsSync(file) && { text: await readFile(file, 'utf8') }) };
}

it('writes a valid document of the exported routes, with what the package and the config say', async () => {
  const { text = '', warnings, files } = await exportDescribed(FILES, 'dist');
  const document = JSON.parse(text) as Record<string, unknown>;
  expect(document).toMatchObject({
    info: { title: 'shop', version: '2.1.0', description: 'Sells things.' },
    servers: [{ url: 'https://shop.example' }],
    paths: { '/items/{id}': { get: {} }, '/notes': { post: { requestBody: {}, security: [{ bearer: [] }] } } },
    components: { securitySchemes: { bearer: BEARER } },
  });
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(warnings).toEqual([]);
  expect(files.map((file) => file.path)).toContain('openapi.json');
  // The modules ran in a separate thread.
  expect(globalThis).not.toHaveProperty('evaluatedNotes');
});

it('writes it among the files of the client, for hosts to serve', async () => {
  const { text = '', outputDir } = await exportDescribed(FILES, 'client');
  expect(JSON.parse(text)).toHaveProperty('openapi');
  const listed = await readFile(path.join(outputDir, 'client.files/manifest.json'), 'utf8');
  expect(listed).toContain('openapi.json');
});

it('knows the path that the app is below', async () => {
  const below = (plugins: unknown[]): Record<string, string> => ({
    ...FILES,
    'app.json': JSON.stringify({ web: { output: 'server', base: '/shop' }, plugins }),
  });
  const { outputDir } = await exportDescribed(below([]), 'client');
  const text = await readFile(path.join(outputDir, 'client/shop/openapi.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ servers: [{ url: '/shop' }], paths: { '/notes': {} } });
  const deployed = await exportDescribed(below([['appkit-router', { origin: 'https://shop.example/' }]]), 'dist');
  expect(JSON.parse(deployed.text ?? '')).toMatchObject({ servers: [{ url: 'https://shop.example/shop' }] });
  const taken = { ...below([]), 'public/openapi.json': '{}' };
  await expect(exportDescribed(taken, 'client')).rejects.toThrow('public/openapi.json');
});

it('evaluates and writes nothing unless requested', async () => {
  const thrower = { ...FILES, 'app/notes+api.ts': 'throw new Error("no database"); export const GET = () => {};' };
  expect(await exportDescribed(thrower)).not.toHaveProperty('text');
});

it('refuses modules that fail, end the process, or throw later', async () => {
  const problemOf = async (code: string): Promise<unknown> => {
    const files = { ...FILES, 'app/notes+api.ts': `${code} export const GET = () => {};` };
    const error = await exportDescribed(files, 'dist').catch((thrown: unknown) => thrown);
    return error instanceof ExportError ? error.problems[0] : error;
  };
  expect(await problemOf('throw new Error("no database");')).toMatchObject({
    file: 'app/notes+api.ts',
    message: expect.stringContaining('it throws when it is loaded: Error: no database'),
  });
  expect(await problemOf('process.exit(3);')).toMatchObject({ message: expect.stringContaining('code 3') });
});

it('refuses to replace a file of public', async () => {
  const files = { ...FILES, 'public/openapi.json': '{}' };
  await expect(exportDescribed(files, 'client')).rejects.toThrow('public/openapi.json');
  expect(await exportDescribed(files, 'dist')).toHaveProperty('text');
});

it('warns about an export without routes', async () => {
  const { warnings } = await exportDescribed(
    { 'app.json': '{ "web": { "output": "single" } }', 'app/a+api.ts': FILES['app/items/[id]+api.ts'] },
    'dist',
  );
  expect(warnings).toContainEqual('The export has no routes, so that openapi.json describes nothing.');
});
