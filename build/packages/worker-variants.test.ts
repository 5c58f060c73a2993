import { expect, it } from 'vitest';

import { exportFiles } from '../fixtures/create-project.ts';

const WORKER = { 'wrangler.jsonc': '{ "main": "worker.mjs" }' };

/** The warnings of an export whose only route uses a package with these `exports`. */
async function warningsFor(exports: object, files: Record<string, string> = WORKER): Promise<string[]> {
  const { warnings } = await exportFiles({
    ...files,
    'node_modules/sockets/package.json': JSON.stringify({ name: 'sockets', exports }),
    'node_modules/sockets/worker.js': 'exports.kind = "worker";',
    'node_modules/sockets/empty.js': 'exports.kind = "none";',
    'app/a+api.ts': "import { kind } from 'sockets';\nexport const GET = () => Response.json(kind);\n",
  });
  return warnings;
}

const warning =
  'sockets has another file for Cloudflare Workers: worker.js instead of empty.js. Add sockets to external of appkit-router, and wrangler takes it.';

it('warns of a package with a file for Workers that Node does not take, in an app for Cloudflare', async () => {
  expect(await warningsFor({ workerd: './worker.js', default: './empty.js' })).toEqual([warning]);
  expect(await warningsFor({ '.': { workerd: { require: './worker.js' }, default: './empty.js' } })).toEqual([warning]);
  // wrangler takes this condition too.
  expect(await warningsFor({ worker: './worker.js', default: './empty.js' })).toEqual([warning]);
});

it('says nothing for an app without a config of wrangler, nor for a package whose files are the same', async () => {
  expect(await warningsFor({ workerd: './worker.js', default: './empty.js' }, {})).toEqual([]);
  expect(await warningsFor({ workerd: './empty.js', default: './empty.js' })).toEqual([]);
  expect(await warningsFor({ workerd: './empty.js', worker: './worker.js', default: './empty.js' })).toEqual([]);
  expect(await warningsFor({ node: './empty.js', workerd: './worker.js' })).toEqual([]);
});

it('says nothing of a package that is external', async () => {
  const app = '{ "plugins": [["appkit-router", { "external": ["sockets"] }]] }';
  expect(await warningsFor({ workerd: './worker.js', default: './empty.js' }, { ...WORKER, 'app.json': app })).toEqual(
    [],
  );
});
