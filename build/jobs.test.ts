import { readFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import path from 'node:path';
import type { Manifest } from 'appkit-server/manifest';
import { expect, it } from 'vitest';
import { exportApp } from './export-app.ts';
import { createSite } from './fixtures/create-site.ts';
import { exportUncompressed } from './fixtures/export-uncompressed.ts';

const load = createRequire(import.meta.url);

const CONFIG = { 'app.json': '{"web":{"output":"server"}}' };
/** As `defineJob()` makes it. */
const JOB = "export default Object({ '~job': { name: undefined } });";
const NAME = "['~job'].name";

interface Route {
  GET(request: Request, params: object): Response | Promise<Response>;
}

it('tells a job its name wherever it is imported', async () => {
  const projectRoot = await createSite({
    ...CONFIG,
    'app/(shop)/orders/mail+job.ts': JOB,
    'app/plain+job.js': `const job = Object({ '~job': {} });\nexport default job;`,
    'app/a+api.ts': `import mail from './(shop)/orders/mail+job.ts'; import plain from './plain+job.js';
      export const GET = () => Response.json([mail${NAME}, plain${NAME}]);`,
    'app/page.tsx': `import { useLoaderData } from 'appkit-router'; import mail from './(shop)/orders/mail+job.ts';
      export const loader = async () => mail${NAME};
      export default () => <p>{useLoaderData()}</p>;`,
  });
  const { outputDir, manifest } = await exportUncompressed({ projectRoot });
  expect(manifest).toMatchObject({
    version: 6,
    jobs: [
      { name: 'orders/mail', file: '_appkit/functions/(shop)/orders/mail+job.js' },
      { name: 'plain', file: '_appkit/functions/plain+job.js' },
    ],
  } satisfies Partial<Manifest>);
  const server = path.join(outputDir, 'server');
  const { modules } = load(server) as { modules: Record<string, () => unknown> };
  const answer = async (file: string): Promise<string> => {
    const route = modules[file]?.() as Route;
    return (await route.GET(new Request('http://localhost/'), {})).text();
  };
  expect(await answer('_appkit/functions/a+api.js')).toBe('["orders/mail","plain"]');
  expect(await answer('_appkit/pages/page.js')).toContain('<p>orders/mail</p>');
  const job = modules['_appkit/functions/plain+job.js']?.() as { default: object };
  expect(job.default).toEqual({ '~job': { name: 'plain' } });
});

it('writes the settings that the source shows into the manifest, also from the cache', async () => {
  const projectRoot = await createSite({
    ...CONFIG,
    'app/mail+job.ts': `import { defineJob } from 'appkit-server/jobs';
      export default defineJob({ timeoutMs: 5, schedule: { cron: '0 8 * * 1' } });`,
    'app/other+job.ts': JOB,
  });
  const settings = { timeoutMs: 5, schedule: { cron: '0 8 * * 1', timeZone: 'UTC', missed: 'skip' } };
  for (const clear of [true, false]) {
    const { manifest, jobs } = await exportUncompressed({ projectRoot, clear });
    expect(manifest.jobs).toMatchObject([
      { name: 'mail', ...settings },
      { name: 'other', schedule: 'unknown' },
    ]);
    expect(jobs).toEqual({ mail: 'app/mail+job.ts', other: 'app/other+job.ts' });
  }
});

it('does not move the lines of a job', async () => {
  const projectRoot = await createSite({
    ...CONFIG,
    'app/mail+job.ts': `${JOB}\nexport const fail = () => {\n  throw new Error('here');\n};`,
  });
  const { outputDir } = await exportUncompressed({ projectRoot, minify: false });
  const file = path.join(outputDir, 'server/_appkit/functions/mail+job.js');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('throw new Error'));
  const entry = map.findEntry(line, lines[line]?.indexOf('throw') ?? 0);
  expect(entry).toMatchObject({ originalLine: 2, originalSource: expect.stringMatching(/app\/mail\+job\.ts$/) });
});

it('refuses invalid jobs, and clients that would contain one', async () => {
  const projectRoot = await createSite({
    ...CONFIG,
    'app/empty+job.ts': 'export const run = () => {};',
    'app/bare+job.ts': 'export default async function mail() {}',
    'app/literal+job.ts': 'export default { run() {} } ;',
    'app/good+job.ts': JOB,
  });
  const problems = await exportApp({ projectRoot }).then(
    () => [],
    (error: { problems: { file: string; message: string }[] }) =>
      error.problems.map(({ file, message }) => [file, message]),
  );
  expect(problems).toEqual([
    ['app/bare+job.ts', 'The default export of a job is a function, not what defineJob() returns.'],
    ['app/empty+job.ts', 'A job needs a default export.'],
    ['app/literal+job.ts', 'The default export of a job is an object, not what defineJob() returns.'],
  ]);
});

it('keeps jobs out of the client', async () => {
  const projectRoot = await createSite({
    ...CONFIG,
    'app/mail+job.ts': 'export default Object({});',
    'app/page.tsx': "import mail from './mail+job.ts';\nexport default () => <p>{typeof mail}</p>;",
  });
  await expect(exportApp({ projectRoot })).rejects.toThrow(/app\/mail\+job\.ts runs on the server only/);
});

it('says that jobs are left out of an export without a server', async () => {
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"static"}}',
    'app/mail+job.ts': 'export default Object({});',
    'app/index.tsx': 'export default () => <p>page</p>;',
  });
  const { warnings } = await exportApp({ projectRoot });
  expect(warnings).toEqual([expect.stringMatching(/^Not exported: app\/mail\+job\.ts\..*middleware and jobs\.$/)]);
});
