import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type * as deploy from './index.ts';
import { listDeployHosts, loadDeployHost } from './index.ts';
import { unknownSetting } from './jobs-host.ts';

it('lists the hosts whose folder defines how to deploy', () => {
  expect(listDeployHosts()).toEqual(['cloudflare', 'netlify', 'vercel']);
});

it('loads the deploy module of each of them', async () => {
  for (const name of listDeployHosts()) expect((await loadDeployHost(name))?.tool.name).toEqual(expect.any(String));
});

it('loads nothing for a host without one, and nothing from elsewhere', async () => {
  for (const name of ['node', '_deploy', '../adapters/vercel', '', 'constructor']) {
    expect(await loadDeployHost(name), name).toBeUndefined();
  }
});

it('knows a host whose folder was added', async () => {
  const copy = await copyWith('deploy.ts', "export const deployment = { title: 'Made up' };");
  expect(copy.listDeployHosts()).toEqual(['made-up']);
  expect(await copy.loadDeployHost('made-up')).toEqual({ title: 'Made up' });
});

it('loads the hosts whose configuration has to name the jobs', async () => {
  const copy = await copyWith('jobs-host.ts', "export const jobsHost = { title: 'Made up' };");
  expect(await copy.loadJobsHosts()).toEqual([{ title: 'Made up' }]);
  expect(copy.listDeployHosts()).toEqual([]);
});

it('says what to write when the source does not show a setting of a job', () => {
  const job = { name: 'report', file: 'report+job.js', source: 'app/report+job.ts' };
  const { message, fix } = unknownSetting(job, { setting: 'schedule', title: 'Made up' });
  expect(message).toBe(
    'app/report+job.ts: the source of the job report does not show its schedule, which the configuration of Made up has to name.',
  );
  expect(fix).toBe('Write the schedule as literals in the defineJob({ … }) that the file exports.');
});

/** The module, next to a single host with a single file. */
async function copyWith(file: string, text: string): Promise<typeof deploy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-deploy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(import.meta.dirname, path.join(folder, '_deploy'), { recursive: true });
  await mkdir(path.join(folder, 'made-up'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(folder, 'made-up', file), text);
  return (await import(pathToFileURL(path.join(folder, '_deploy/index.ts')).href)) as typeof deploy;
}
