import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listHosts, readSizeGoals } from './adapters.ts';
import router from '../router/size.json' with { type: 'json' };
import { sizeOfHelloPage } from './page-size.ts';
import { sizeOf } from './size-of.ts';

describe('the minified and gzipped size, in bytes, stays under its limit', () => {
  const limits: [file: string, limit: number][] = [
    ...listHosts().map((host): [string, number] => [`adapters/${host}/index.ts`, readSizeGoals(host).limit]),
    ['runtime/index.ts', 2650],
    ['runtime/contract.ts', 2070],
  ];
  for (const [file, limit] of limits) {
    it(`of ${file}: ${limit}`, async () => {
      expect(await sizeOf(file, { platform: 'node' })).toBeLessThan(limit);
    });
  }

  it('of useAuthRequest, with the popup: 9424', async () => {
    const measured = { platform: 'browser', names: ['useAuthRequest'] } as const;
    expect(await sizeOf('auth/session/index.ts', measured)).toBeLessThan(9424);
  });

  it('of a sign-in with a code, without hooks and popup: 7440', async () => {
    const names = ['AuthRequest', 'fetchDiscoveryAsync', 'exchangeCodeAsync', 'refreshAsync'];
    const measured = { platform: 'browser', names, without: ['appkit-web-browser'] } as const;
    expect(await sizeOf('auth/session/core.ts', measured)).toBeLessThan(7440);
  });

  it('of a session in the browser, with all that gets new tokens: 5648', async () => {
    const names = ['createSession', 'fetchWithSession'];
    const measured = { platform: 'browser', names, without: ['appkit-web-browser'] } as const;
    expect(await sizeOf('auth/session/session.ts', measured)).toBeLessThan(5648);
  });
});

it(`the JavaScript of a hello page, gzipped, stays under its limit: ${router.limit}`, async () => {
  const size = await sizeOfHelloPage();
  // React alone is larger than that: less would mean that the page's files were not found.
  expect(size).toBeGreaterThan(60_000);
  expect(size).toBeLessThan(router.limit);
  expect(router.limit).toBeLessThanOrEqual(router.goal);
});

/** The validation of job inputs with schemas, too. */
const OF_JOBS = [
  'runtime/jobs.js',
  'adapters/_jobs/index.js',
  'adapters/_postgres/index.js',
  'adapters/aws-lambda/jobs.js',
  'adapters/cloudflare/jobs.js',
  'adapters/vercel/jobs.js',
];
/** What the CLI loads. */
const isOfCommands = (name: string): boolean => name.endsWith('/jobs-host.js');

it('no code that checks or runs jobs is in an adapter, or in what other routes import', () => {
  const lib = path.join(import.meta.dirname, '../runtime/lib');
  const read = (name: string): string => readFileSync(path.join(lib, name), 'utf8');
  const signs = /ERR_JOB|node:sqlite|concurrency/;
  for (const name of OF_JOBS) expect(read(name)).toMatch(signs);
  const others = globSync('**/*.js', { cwd: lib }).filter((name) => !OF_JOBS.includes(name) && !isOfCommands(name));
  expect(others.filter((name) => signs.test(read(name)))).toEqual([]);
});

it('the parser of schedules is a separate file, with its licence, which only the engines load, and only for a schedule', () => {
  const lib = path.join(import.meta.dirname, '../runtime/lib');
  const read = (name: string): string => readFileSync(path.join(lib, name), 'utf8');
  const files = globSync('**/*.js', { cwd: lib });
  const parsers = files.filter((name) => read(name).includes('CronPattern'));
  expect(parsers).toHaveLength(1);
  const [parser = ''] = parsers;
  expect(read(parser)).toMatch(/^\/\*! croner\n.*MIT License/);
  const users = files.filter((name) => read(name).includes(parser));
  expect(users.toSorted()).toEqual([
    'adapters/_jobs/index.js',
    'adapters/_postgres/index.js',
    'adapters/vercel/jobs.js',
  ]);
  for (const name of users) expect(read(name)).toMatch(new RegExp(`await import\\("[./]+${parser}"\\)`));
});

it('no code for contracts is in an adapter, or in what other routes import', () => {
  const lib = path.join(import.meta.dirname, '../runtime/lib');
  const read = (name: string): string => readFileSync(path.join(lib, name), 'utf8');
  expect(read('runtime/contract.js')).toContain('application/problem+json');
  const others = globSync('**/*.js', { cwd: lib }).filter(
    (name) => path.basename(name) !== 'contract.js' && !OF_JOBS.includes(name),
  );
  expect(others.length).toBeGreaterThan(listHosts().length);
  expect(others.filter((name) => /problem\+json|~contract|~standard/.test(read(name)))).toEqual([]);
});

// The benchmark measures milliseconds (`npm run bench -- --only start`: at most 10 over bare node:http). This test
// checks what they are spent on: what is read and compiled before the first answer.
it('the node adapter loads only the Node modules that a bare server loads, and the one that loads routes', async () => {
  const program = `
    import 'node:http';
    const bare = new Set(process.moduleLoadList);
    await import('appkit-server/adapter/node');
    const names = process.moduleLoadList.filter((name) => !bare.has(name)).map((name) => name.split(' ').at(-1));
    console.log(names.filter((name) => !name.startsWith('internal/')).join());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout.trim()).toBe('module');
});
