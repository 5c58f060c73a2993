import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { callGet, writeFiles } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';

const CONDITIONS = ['module', 'module-sync', 'node', 'import', 'require', 'development', 'production', 'browser'];

/** A package with a file for each condition, in this order, which exports the name of the condition. */
function toPackage(name: string, conditions: readonly string[]): Record<string, string> {
  const folder = `node_modules/${name}`;
  const given = [...conditions, 'default'];
  const toFile = (condition: string): string => `./${condition}.${condition === 'require' ? 'cjs' : 'mjs'}`;
  return {
    [`${folder}/package.json`]: JSON.stringify({
      name,
      exports: Object.fromEntries(given.map((condition) => [condition, toFile(condition)])),
    }),
    ...Object.fromEntries(
      given.map((condition) => [
        path.join(folder, toFile(condition)),
        condition === 'require' ? "exports.which = 'require';" : `export const which = '${condition}';`,
      ]),
    ),
  };
}

it('takes the file of a package that Node takes, in routes and in pages', async () => {
  const packages: Record<string, string[]> = {
    any: CONDITIONS,
    bundled: ['module', 'import', 'require'],
    required: ['require', 'module'],
    synchronous: ['module-sync', 'import', 'require'],
    older: ['import', 'require', 'module-sync'],
    plain: ['development', 'production', 'browser'],
  };
  const names = Object.keys(packages);
  const imports = names.map((name) => `import * as ${name} from '${name}';\n`).join('');
  const imported = `[${names.map((name) => `${name}.which`).join(', ')}]`;
  const required = `[${names.map((name) => `require('${name}').which`).join(', ')}]`;
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"static"}}',
    'app/page.tsx': `${imports}export default () => <p>{JSON.stringify(${imported})}</p>;`,
    'node.mjs': `${imports}console.log(JSON.stringify(${imported}));`,
    'node.cjs': `console.log(JSON.stringify(${required}));`,
  });
  for (const name of names) {
    await mkdir(path.join(projectRoot, 'node_modules', name));
    await writeFiles(projectRoot, toPackage(name, packages[name] ?? []));
  }
  const run = async (file: string): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: projectRoot, env: {} });
    return JSON.parse(stdout);
  };
  const [byImport, byRequire] = await Promise.all([run('node.mjs'), run('node.cjs')]);
  const { outputDir } = await exportApp({ projectRoot });
  const html = await readFile(path.join(outputDir, 'client/page.html'), 'utf8');
  expect(JSON.parse(/<p>(.*)<\/p>/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '')).toEqual(byImport);
  await writeFiles(projectRoot, {
    'app.json': '{"web":{"output":"server"}}',
    'app/imported+api.ts': `${imports}export const GET = () => Response.json(${imported});`,
    'app/required+api.ts': `export const GET = () => Response.json(${required});`,
  });
  await exportApp({ projectRoot });
  expect(await callGet(outputDir, 'imported+api.js')).toEqual(byImport);
  expect(await callGet(outputDir, 'required+api.js')).toEqual(byRequire);
});
