import { cp, readFile, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  callGet,
  createFolder,
  createProject,
  exportFiles,
  exportProblems,
  writeFiles,
} from '../fixtures/create-project.ts';
import { exportApp } from '../index.ts';

const config = (...external: string[]): Record<string, string> => ({
  'app.json': JSON.stringify({ plugins: [['appkit-router', { external }]] }),
});
const json = (value: string): string => `export const GET = async () => Response.json(${value});\n`;

/** Reads a file next to itself, as a native addon's loader does; the file is not code. */
const engine = {
  'node_modules/engine/package.json': '{"name":"engine","version":"1.0.0","main":"lib/index.js"}',
  'node_modules/engine/lib/index.js': [
    "const { readFileSync } = require('node:fs');",
    "const { join } = require('node:path');",
    "const format = require('format');",
    "exports.read = () => format(readFileSync(join(__dirname, '../data/model.bin'), 'utf8'));",
  ].join('\n'),
  'node_modules/engine/data/model.bin': 'weights',
  'node_modules/engine/README.md': 'not needed at run time',
  'node_modules/format/package.json': '{"name":"format","version":"1.0.0"}',
  'node_modules/format/index.js': 'module.exports = (text) => `<${text}>`;',
};
const route = { 'app/a+api.ts': `import { read } from 'engine';\n${json('read()')}` };

/** Takes an export away from everything it was made from. */
async function moveAway(outputDir: string, projectRoot: string): Promise<string> {
  const away = path.join(await createFolder(), 'dist');
  await cp(outputDir, away, { recursive: true });
  await rm(projectRoot, { recursive: true });
  return away;
}

describe('the option external', () => {
  it('copies a package with the files it reads and the packages it needs', async () => {
    const { outputDir, projectRoot, files } = await exportFiles({ ...config('engine'), ...engine, ...route });
    expect(files.map((file) => file.path).filter((name) => name.includes('node_modules'))).toEqual([
      'server/node_modules/engine/data/model.bin',
      'server/node_modules/engine/lib/index.js',
      'server/node_modules/engine/package.json',
      'server/node_modules/format/index.js',
      'server/node_modules/format/package.json',
    ]);
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toBe('<weights>');
  });

  it('copies all files of a package that knows where it is, in whatever way it names them', async () => {
    const { outputDir, projectRoot, files } = await exportFiles({
      ...config('fonts'),
      'node_modules/fonts/package.json':
        '{"name":"fonts","version":"1.0.0","type":"module","main":"lib/index.js","imports":{"#data/*":"./data/*.cjs"}}',
      'node_modules/fonts/lib/index.js': [
        "import { createRequire } from 'node:module';",
        'const load = createRequire(import.meta.url);',
        "export const read = () => ['serif', 'sans'].map((name) => load('#data/' + name));",
      ].join('\n'),
      'node_modules/fonts/lib/index.d.ts': 'export declare const read: () => string[];',
      'node_modules/fonts/lib/index.js.map': '{}',
      'node_modules/fonts/data/serif.cjs': "module.exports = 'serif';",
      'node_modules/fonts/data/sans.cjs': "module.exports = 'sans';",
      'node_modules/fonts/node_modules/unused/index.js': '',
      'app/a+api.ts': `import { read } from 'fonts';\n${json('read()')}`,
    });
    expect(files.map((file) => file.path).filter((name) => name.includes('node_modules'))).toEqual(
      ['data/sans.cjs', 'data/serif.cjs', 'lib/index.js', 'package.json'].map(
        (name) => `server/node_modules/fonts/${name}`,
      ),
    );
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toEqual(['serif', 'sans']);
  });

  it('keeps each package the version it was installed with', async () => {
    const { outputDir, projectRoot } = await exportFiles({
      ...config('engine', 'format'),
      ...engine,
      'node_modules/engine/node_modules/format/package.json': '{"name":"format","version":"2.0.0"}',
      'node_modules/engine/node_modules/format/index.js': 'module.exports = (text) => `[${text}]`;',
      'app/a+api.ts': `import { read } from 'engine';\nimport format from 'format';\n${json('[read(), format("x")]')}`,
    });
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toEqual(['[weights]', '<x>']);
  });

  it('follows the links in a package store', async () => {
    const projectRoot = await createProject({ ...config('engine'), ...route });
    const store = path.join(projectRoot, 'node_modules/.pnpm');
    const stored = (text: string): string =>
      text.replace(/^node_modules\/(\w+)/, 'node_modules/.pnpm/$1@1.0.0/node_modules/$1');
    await writeFiles(
      projectRoot,
      Object.fromEntries(Object.entries(engine).map(([name, text]) => [stored(name), text])),
    );
    await symlink(path.join(store, 'engine@1.0.0/node_modules/engine'), path.join(projectRoot, 'node_modules/engine'));
    await symlink(
      path.join(store, 'format@1.0.0/node_modules/format'),
      path.join(store, 'engine@1.0.0/node_modules/format'),
    );
    const { outputDir } = await exportApp({ projectRoot });
    const away = await moveAway(outputDir, projectRoot);
    expect(await callGet(away, 'a+api.js')).toBe('<weights>');
    expect((await stat(path.join(away, 'server/node_modules/format'))).isDirectory()).toBe(true);
  });

  it('copies packages of a workspace, and those installed above the project', async () => {
    const repository = await createProject({
      ...Object.fromEntries(Object.entries(engine).filter(([name]) => name.startsWith('node_modules/format'))),
      ...Object.fromEntries(
        Object.entries(engine)
          .filter(([name]) => name.startsWith('node_modules/engine'))
          .map(([name, text]) => [name.replace('node_modules', 'packages'), text]),
      ),
    });
    const projectRoot = path.join(repository, 'apps/web');
    await writeFiles(projectRoot, { ...config('engine'), ...route });
    await symlink(path.join(repository, 'packages/engine'), path.join(repository, 'node_modules/engine'));
    const { outputDir } = await exportApp({ projectRoot });
    expect(await callGet(await moveAway(outputDir, repository), 'a+api.js')).toBe('<weights>');
  });

  it('imports an external ES module as Node would, even from a module project', async () => {
    const { outputDir, projectRoot } = await exportFiles({
      ...config('esm'),
      'package.json': '{"type":"module"}',
      'node_modules/esm/package.json':
        '{"name":"esm","type":"module","exports":{".":"./index.js","./part":"./part.js"}}',
      'node_modules/esm/index.js': 'export default () => "default"; export const named = "named";',
      'node_modules/esm/part.js': 'export const part = "part";',
      'app/a+api.ts': `import run, { named } from 'esm';\n${json("[run(), named, (await import('esm/part')).part]")}`,
    });
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toEqual(['default', 'named', 'part']);
  });

  it('copies binaries that a package picks by platform, and warns when they would be lost', async () => {
    const files = {
      'node_modules/fast/package.json':
        '{"name":"fast","optionalDependencies":{"fast-here":"1","fast-there":"1","plain":"1"}}',
      'node_modules/fast/index.js': "const place = ['fast', 'here'].join('-');\nexports.run = () => require(place);",
      'node_modules/fast-here/package.json':
        '{"name":"fast-here","os":["linux"],"main":"binary.txt","optionalDependencies":{"lib-here":"1"}}',
      'node_modules/fast-here/binary.txt': 'module.exports = "fast";',
      'node_modules/lib-here/package.json': '{"name":"lib-here","cpu":["x64"]}',
      'node_modules/lib-here/lib/shared.so.1': 'machine code',
      'node_modules/plain/package.json': '{"name":"plain"}',
      'app/a+api.ts': `import { run } from 'fast';\n${json('run()')}`,
    };
    const bundled = await exportFiles(files);
    expect(bundled.warnings).toEqual([
      'fast loads fast-here at run time, which no bundle can contain. Add fast to external of appkit-router.',
    ]);
    const { outputDir, projectRoot, warnings, files: written } = await exportFiles({ ...config('fast'), ...files });
    expect(warnings).toEqual([]);
    const away = await moveAway(outputDir, projectRoot);
    expect(await callGet(away, 'a+api.js')).toBe('fast');
    const names = written.map((file) => file.path);
    expect(names).toContain('server/node_modules/lib-here/lib/shared.so.1');
    expect(names).not.toContain('server/node_modules/plain/package.json');
  });

  it('copies a listed package that another one loads by a name it was given', async () => {
    const { outputDir, projectRoot } = await exportFiles({
      ...config('logger', 'pretty', 'modern', 'only-types'),
      'node_modules/logger/package.json': '{"name":"logger","version":"1.0.0"}',
      'node_modules/logger/index.js': 'exports.load = (name) => import(name);',
      'node_modules/pretty/package.json': '{"name":"pretty","version":"1.0.0"}',
      'node_modules/pretty/index.js': "module.exports = require('colors');",
      'node_modules/colors/package.json': '{"name":"colors","version":"1.0.0"}',
      'node_modules/colors/index.js': "module.exports = 'colours';",
      'node_modules/modern/package.json':
        '{"name":"modern","version":"1.0.0","type":"module","exports":{"import":"./index.js"}}',
      'node_modules/modern/index.js': "export default 'modern';",
      'node_modules/only-types/package.json': '{"name":"only-types","version":"1.0.0","types":"index.d.ts"}',
      'app/a+api.ts': `import { load } from 'logger';\n${json("[(await load('pretty')).default, (await load('modern')).default]")}`,
    });
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toEqual(['colours', 'modern']);
  });

  it('copies nothing of a package that no route uses', async () => {
    const { files } = await exportFiles({ ...config('engine'), ...engine, 'app/a+api.ts': json('1') });
    expect(files.filter((file) => file.path.includes('node_modules'))).toEqual([]);
  });

  it('leaves the modules of a host to the host', async () => {
    const { outputDir } = await exportFiles({
      ...config('bun:sqlite', 'bun'),
      'app/a+api.ts': `import { Database } from 'bun:sqlite';\nimport { sql } from 'bun';\n${json('typeof Database + typeof sql')}`,
    });
    const code = await readFile(path.join(outputDir, 'server/_appkit/functions/a+api.js'), 'utf8');
    expect(code).toContain('require("bun:sqlite")');
    expect(code).toContain('require("bun")');
  });

  it('reports a package that is not installed', async () => {
    expect(await exportProblems({ ...config('engine'), 'app/a+api.ts': json('1') })).toMatchObject([
      { file: 'app.json', message: 'The option external of appkit-router names engine, which is not installed.' },
    ]);
  });

  it('reports a package that only import can load', async () => {
    const problems = await exportProblems({
      ...config('esm'),
      'node_modules/esm/package.json': '{"name":"esm","type":"module","exports":{".":{"import":"./index.js"}}}',
      'node_modules/esm/index.js': 'export default 1;',
      'app/a+api.ts': `import esm from 'esm';\n${json('esm')}`,
    });
    expect(problems).toMatchObject([
      {
        file: 'app.json',
        message: expect.stringContaining('The external module esm cannot be loaded by a server build'),
      },
    ]);
  });

  it('is what helps with a package that awaits at its top level', async () => {
    const files = {
      'node_modules/slow-start/package.json': '{"name":"slow-start","type":"module","exports":"./index.js"}',
      'node_modules/slow-start/index.js': 'export const ready = await Promise.resolve("ready");',
    };
    const problems = await exportProblems({
      ...files,
      'app/a+api.ts': `import { ready } from 'slow-start';\n${json('ready')}`,
    });
    expect(problems).toMatchObject([
      {
        file: 'node_modules/slow-start/index.js',
        fix: 'Add slow-start to external of appkit-router. If it has no CommonJS, also import it by await import() in the handler.',
      },
    ]);
    const { outputDir, projectRoot } = await exportFiles({
      ...config('slow-start'),
      ...files,
      'app/a+api.ts': json("(await import('slow-start')).ready"),
    });
    expect(await callGet(await moveAway(outputDir, projectRoot), 'a+api.js')).toBe('ready');
  });

  it('reports a dependency that uses another version than the project', async () => {
    const problems = await exportProblems({
      ...config('format'),
      ...engine,
      'node_modules/engine/node_modules/format/package.json': '{"name":"format","version":"2.0.0"}',
      'node_modules/engine/node_modules/format/index.js': 'module.exports = String;',
      ...route,
    });
    expect(problems).toMatchObject([
      { file: 'node_modules/engine/lib/index.js', message: expect.stringContaining('a different copy of format') },
    ]);
  });
});
