import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { callGet, exportFiles } from '../../fixtures/create-project.ts';
import { createSite } from '../../fixtures/create-site.ts';
import { exportApp } from '../../index.ts';

const TEXT = '{"__proto__":{"admin":true},"deep":[{"\\u005f_proto__":1,"x":2}],"name":"n"}';
const PLAIN = TEXT.replace('\\u005f', '_');

const toRoute = (head: string): string => `${head}
export const GET = () => Response.json([JSON.stringify(data), data.admin ?? 'no admin', name]);`;

describe('a key of JSON that is called __proto__', () => {
  const whole = "import data from '../lib/data.json';";
  const expected = [PLAIN, 'no admin', 'n'];

  it('is one in a route', async () => {
    const route = toRoute(`${whole}\nimport { name } from '../lib/data.json';`);
    const { outputDir } = await exportFiles({ 'lib/data.json': TEXT, 'app/a+api.ts': route });
    expect(await callGet(outputDir, 'a+api.js')).toEqual(expected);
  });

  it('is one in routes that share it, whether they import or require it', async () => {
    const { outputDir } = await exportFiles({
      'lib/data.json': TEXT,
      'app/a+api.ts': toRoute(`${whole}\nconst { name } = data;`),
      'app/b+api.ts': toRoute("const data = require('../lib/data.json');\nconst { name } = data;"),
      'app/c+api.ts': toRoute("import * as all from '../lib/data.json';\nconst { default: data, name } = all;"),
    });
    for (const file of ['a', 'b', 'c'])
      expect([file, await callGet(outputDir, `${file}+api.js`)]).toEqual([file, expected]);
  });

  it('is one in a page', async () => {
    const projectRoot = await createSite({
      'app.json': '{"web":{"output":"static"}}',
      'lib/data.json': TEXT,
      'app/index.tsx': `${whole}\nexport default () => <p title={JSON.stringify(data)}>{String(data.admin)}</p>;`,
    });
    await exportApp({ projectRoot });
    const html = await readFile(path.join(projectRoot, 'dist/client/index.html'), 'utf8');
    expect(html).toContain(`<p title="${PLAIN.replaceAll('"', '&quot;')}">undefined</p>`);
  });
});

it('leaves other JSON to the bundler, which removes unused keys', async () => {
  const { outputDir } = await exportFiles({
    'lib/data.json': '{ "used": "text-1", "unused": "text-2" }',
    'app/a+api.ts': "import { used } from '../lib/data.json';\nexport const GET = () => Response.json(used);",
  });
  const chunks = path.join(outputDir, 'server/_appkit/chunks');
  const chunk = (await readdir(chunks)).find((name) => /^own.*\.js$/.test(name));
  const code = await readFile(path.join(chunks, chunk ?? ''), 'utf8');
  expect([code.includes('text-1'), code.includes('text-2')]).toEqual([true, false]);
});

it('reads JSON with a byte order mark, as Node and development do', async () => {
  const { outputDir } = await exportFiles({
    'package.json': '\uFEFF{ "name": "app" }',
    'app.json': '\uFEFF{ "web": { "output": "server" } }',
    'lib/data.json': '\uFEFF{ "name": "n" }',
    'lib/proto.json': '\uFEFF{ "__proto__": "p" }',
    'app/a+api.ts':
      "import { name } from '../lib/data.json';\nimport proto from '../lib/proto.json';\nexport const GET = () => Response.json([name, JSON.stringify(proto)]);",
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['n', '{"__proto__":"p"}']);
});
