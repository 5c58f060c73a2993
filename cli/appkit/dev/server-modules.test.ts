import { realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import { createVite } from './create-vite.ts';
import { loadVite } from './load-vite.ts';
import { createReporter } from './report.ts';
import { createServerModules } from './server-modules.ts';
import type { ServerModules } from './server-modules.ts';

/** The server modules of some files, without a server. */
async function createModules(
  files: Record<string, string>,
): Promise<ServerModules & AsyncDisposable & { projectRoot: string }> {
  const app = await createTemporaryApp({ 'package.json': '{ "type": "module" }', ...files });
  const projectRoot = await realpath(app.folder);
  const loaded = await loadVite(projectRoot);
  const vite = await createVite(loaded, {
    projectRoot,
    site: undefined,
    findJobs: () => [],
    reporter: createReporter(projectRoot),
  });
  const modules = createServerModules(loaded, vite.environments.ssr);
  return {
    ...modules,
    projectRoot,
    async [Symbol.asyncDispose]() {
      await modules.close();
      await vite.close();
      await app[Symbol.asyncDispose]();
    },
  };
}

/** `user` and `post` import each other, and `user` takes a while after `post` has been evaluated. */
const CIRCLE = {
  'lib/user.ts': `
    import './post';
    import './slow0';
    export const LIMITS = { user: 5 };`,
  'lib/post.ts': `
    import { LIMITS } from './user';
    export const limits = () => LIMITS;
    globalThis.postIsEvaluated();`,
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`lib/slow${index}.ts`, `import './slow${index + 1}';`]),
  ),
  'lib/slow9.ts': '',
  'app/users+api.ts': "import '../lib/user';",
  'app/posts+api.ts': "import { limits } from '../lib/post';\nexport const max = limits()?.user ?? 'unset';",
};

/** Loads `users`, and `posts` as soon as the module that it imports has been evaluated. */
async function loadBoth(load: (name: string) => Promise<unknown>): Promise<unknown> {
  const isEvaluated = new Promise<void>((resolve) => vi.stubGlobal('postIsEvaluated', resolve));
  const users = load('users');
  await isEvaluated;
  const [posts] = await Promise.all([load('posts'), users]);
  return posts;
}

it('shows the modules of a circle to others only when all are evaluated', async () => {
  await using modules = await createModules(CIRCLE);
  expect(await loadBoth((name) => modules.load(`app/${name}+api.ts`))).toMatchObject({ max: 5 });
});

it('shows them no earlier to an import() of a module that is already in use', async () => {
  await using modules = await createModules({
    ...CIRCLE,
    'app/lazy+api.ts': "export const load = (name) => import('./' + name + '+api.ts');",
  });
  const { load } = await modules.load('app/lazy+api.ts');
  expect(await loadBoth(load as (name: string) => Promise<unknown>)).toMatchObject({ max: 5 });
});

it('runs CommonJS in strict mode only with the directive', async () => {
  const isStrict = 'exports.isStrict = () => isStrict();\nfunction isStrict() { return this === undefined; }';
  await using modules = await createModules({
    'lib/strict.cjs': `// A comment.\n"use client"; 'use strict'\n${isStrict}`,
    'lib/sloppy.cjs': `'use ' + 'strict';\n${isStrict}`,
    'app/both+api.ts': `
      import { isStrict } from '../lib/strict.cjs';
      import { isStrict as isSloppy } from '../lib/sloppy.cjs';
      export const modes = [isStrict(), isSloppy()];`,
  });
  expect(await modules.load('app/both+api.ts')).toMatchObject({ modes: [true, false] });
});

it('says that Vite reads no file with # in its name', async () => {
  await using modules = await createModules({
    'lib/word #1.ts': "export const word = 'one';",
    'app/word+api.ts': "export { word } from '../lib/word #1';",
    'app/absent+api.ts': "export { word } from '../lib/word #2.ts';",
  });
  await expect(modules.load('app/word+api.ts')).rejects.toThrow(
    'lib/word #1.ts: Vite cannot read a file with # in its name. Rename it.',
  );
  await expect(modules.load('app/absent+api.ts')).rejects.toThrow('../lib/word #2.ts');
});

it('evaluates a module again when import.meta.glob finds a new file, also one with ?raw, or one less', async () => {
  const page = `
    export const texts = import.meta.glob('../notes/*.md', { query: '?raw', import: 'default', eager: true });
    export const names = Object.keys(import.meta.glob('../notes/*.ts'));`;
  await using modules = await createModules({ 'app/notes.ts': page, 'notes/a.md': 'A', 'notes/a.ts': '' });
  const [text, module, other] = ['notes/b.md', 'notes/b.ts', 'b.md'].map((file) =>
    path.join(modules.projectRoot, file),
  ) as [string, string, string];
  expect(await modules.load('app/notes.ts')).toMatchObject({ texts: { '../notes/a.md': 'A' } });
  expect([modules.has(other, 'add'), modules.has(text, 'change'), modules.has(text, 'add')]).toEqual([
    false,
    false,
    true,
  ]);
  await writeFile(text, 'B');
  expect(modules.invalidate(text, 'add')).toEqual(['app/notes.ts']);
  expect(await modules.load('app/notes.ts')).toMatchObject({
    texts: { '../notes/a.md': 'A', '../notes/b.md': 'B' },
    names: ['../notes/a.ts'],
  });
  await writeFile(module, '');
  expect(modules.invalidate(module, 'add')).toEqual(['app/notes.ts']);
  expect(await modules.load('app/notes.ts')).toMatchObject({ names: ['../notes/a.ts', '../notes/b.ts'] });
  await rm(module);
  expect(modules.invalidate(module, 'unlink')).toEqual(['app/notes.ts']);
  expect(await modules.load('app/notes.ts')).toMatchObject({ names: ['../notes/a.ts'] });
  // Nothing has loaded what it found by its name alone.
  expect(modules.invalidate(path.join(modules.projectRoot, 'notes/a.ts'), 'change')).toEqual([]);
});
