import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../fixtures/cli-process.ts';
import { writeStandIn } from '../fixtures/stand-in.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

const APP = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
};
const WORKER = {
  'worker.mjs': "import { createRequestHandler } from 'appkit-server/adapter/cloudflare';",
};
const REPORT = {
  'app/report+job.ts': `
    import { defineJob } from 'appkit-server/jobs';
    export default defineJob({ schedule: { cron: '0 8 * * 1' }, concurrency: 1, run() {} });`,
};

it("refuses an export until the host's configuration has the lines that the message says to add", async () => {
  await using app = await createTemporaryApp({ ...APP, ...REPORT, ...WORKER, 'wrangler.jsonc': '{ "name": "shop" }' });
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: wrangler\.jsonc: the app's jobs need a producer with the binding JOBS/);
  const lines = stderr.split('\n').filter((line) => /^  (?:"|  |[\]}])/.test(line));
  await writeFile(path.join(app.folder, 'wrangler.jsonc'), `{ "name": "shop",\n${lines.join('\n')} }`);
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
});

it('names a job whose schedule its source does not show', async () => {
  const source = `
    import { defineJob } from 'appkit-server/jobs';
    const cron = '0 8 * * 1';
    export default defineJob({ schedule: { cron }, run() {} });`;
  await using app = await createTemporaryApp({
    ...APP,
    ...WORKER,
    'app/report+job.ts': source,
    'wrangler.jsonc': '{}',
  });
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  expect(code).toBe(1);
  expect(stderr).toContain('app/report+job.ts: the source of the job report does not show its schedule');
  expect(stderr).toContain('Cloudflare');
  await rm(path.join(app.folder, 'wrangler.jsonc'));
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
});

it('ignores the configuration of another project, and of an app that stores its jobs elsewhere', async () => {
  await using app = await createTemporaryApp({
    ...APP,
    ...REPORT,
    'wrangler.jsonc': '{}',
    'template.yaml': 'Resources: {}',
  });
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
  const engine = "import { createPostgresJobs } from 'appkit-server/jobs/postgres';\n";
  await writeFile(path.join(app.folder, 'worker.mjs'), engine + WORKER['worker.mjs']);
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
  await writeFile(path.join(app.folder, 'worker.mjs'), WORKER['worker.mjs']);
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 1 });
});

it('does not read the configuration for an app without jobs', async () => {
  await using app = await createTemporaryApp({ ...APP, 'app/a+api.ts': 'export const GET = () => new Response();' });
  // To read a folder fails.
  await mkdir(path.join(app.folder, 'wrangler.jsonc'));
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
});

it('stops a deployment before the tool is called', async () => {
  await using app = await createTemporaryApp({ ...APP, ...REPORT, ...WORKER, 'wrangler.jsonc': '{}' });
  const { PATH } = await writeStandIn(path.join(app.folder, '.tools'), { tool: 'wrangler', runs: {} });
  const { code, stderr } = await runCli(['deploy', '--host', 'cloudflare'], { cwd: app.folder, env: { PATH } });
  expect([code, stderr.includes('$ wrangler')]).toEqual([1, false]);
  expect(stderr).toContain('need a producer with the binding JOBS');
});

it("writes a host's files for the app's jobs, from the sources or an export, and lists the one-time commands", async () => {
  await using app = await createTemporaryApp({ ...APP, ...REPORT });
  const { stdout } = await runCli(['init', '--host', 'cloudflare'], { cwd: app.folder });
  expect(stdout).toContain('  npx wrangler queues create my-app-jobs\n  npx wrangler queues create my-app-dead-jobs\n');
  const read = (file: string): Promise<string> => readFile(path.join(app.folder, file), 'utf8');
  const written = [await read('worker.mjs'), await read('wrangler.jsonc')];
  expect(written[0]).toContain('jobs: createCloudflareJobs()');
  expect(written[1]).toContain('"crons": ["0 8 * * MON"]');
  expect(written[1]).toContain('"max_concurrency": 1');
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
  await rm(path.join(app.folder, 'app'), { recursive: true });
  await runCli(['init', '--host', 'cloudflare', '--force'], { cwd: app.folder });
  expect([await read('worker.mjs'), await read('wrangler.jsonc')]).toEqual(written);
});

it("writes Netlify's function with jobs, and refuses an export without them", async () => {
  await using app = await createTemporaryApp({ ...APP, ...REPORT });
  const { stdout } = await runCli(['init', '--host', 'netlify'], { cwd: app.folder });
  expect(stdout).toContain('  npm install pg-boss@12.38.0\n');
  // It hosts no app, and is asked for nothing.
  await writeFile(path.join(app.folder, 'netlify/functions/ping.mjs'), 'export default () => new Response();');
  const file = path.join(app.folder, 'netlify/functions/server.mjs');
  const written = await readFile(file, 'utf8');
  expect(written).toContain('jobs: createPostgresJobs({ work: false, maxConnections: 4 })');
  expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0, stderr: '' });
  await writeFile(file, written.replace(/^ {2}jobs: .*\n/m, ''));
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'error: netlify/functions/server.mjs: the function has no option jobs, so the job report (app/report+job.ts) could not be stored on Netlify.',
  );
  expect(stderr).toContain('jobs: createPostgresJobs({ work: false, maxConnections: 4 }),');
});

it('writes a server that stores and runs the jobs', async () => {
  const job = `
    import { defineJob } from 'appkit-server/jobs';
    export default defineJob({ schedule: { cron: '* * * * *' }, run() {} });`;
  await using app = await createTemporaryApp({ ...APP, 'app/report+job.ts': job });
  for (const host of ['node', 'express', 'bun', 'deno']) {
    expect(await runCli(['init', '--host', host, '--force'], { cwd: app.folder })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const written = await readFile(path.join(app.folder, 'server.mjs'), 'utf8');
    expect(written).toContain("import { createSqliteJobs } from 'appkit-server/jobs/sqlite';\n");
    expect(written).toMatch(
      /createRequestHandler\(\{\n {2}build: .*,\n {2}\/\/ Stores .*\n {2}jobs: createSqliteJobs\(\),\n\}\)/,
    );
  }
  expect(await readFile(path.join(app.folder, 'deno.json'), 'utf8')).toContain('--allow-write');
});

it('writes a server whose jobs are in PostgreSQL if those of the app are', async () => {
  await using app = await createTemporaryApp({ ...APP, ...REPORT });
  const init = async (env: Record<string, string> = {}): Promise<[server: string, output: string]> => {
    const { stdout } = await runCli(['init', '--host', 'node', '--force'], { cwd: app.folder, env });
    return [await readFile(path.join(app.folder, 'server.mjs'), 'utf8'), stdout];
  };
  const expected =
    /createRequestHandler\(\{\n {2}build: .*,\n {2}\/\/ Stores .*\n {2}jobs: createPostgresJobs\(\),\n\}\)/;
  const [byVariable, output] = await init({ DATABASE_URL: 'postgres://localhost/shop' });
  expect(byVariable).toMatch(expected);
  expect(byVariable).toContain("import { createPostgresJobs } from 'appkit-server/jobs/postgres';\n");
  expect(output).toContain('  npm install pg-boss@12.38.0\n');
  expect((await init({ DATABASE_URL: 'mysql://localhost/shop' }))[0]).toContain('jobs: createSqliteJobs()');
  await writeFile(path.join(app.folder, '.env'), 'DATABASE_URL=postgres://localhost/shop\n');
  expect((await init())[0]).toMatch(expected);
  // As in `appkit start`, which then stores them in this file.
  expect((await init({ APPKIT_JOBS: 'jobs.sqlite' }))[0]).toContain('jobs: createSqliteJobs()');
  await rm(path.join(app.folder, '.env'));
  const manifest = { name: 'shop', type: 'module', dependencies: { 'pg-boss': '12.38.0' } };
  await writeFile(path.join(app.folder, 'package.json'), JSON.stringify(manifest));
  const [byPackage, short] = await init();
  expect(byPackage).toMatch(expected);
  expect(short).not.toContain('npm install pg-boss');
});
