/**
 * `npm run caches`: the shared cache of our adapters in the suite of cache-tests.fyi, and our answers'
 * headers behind real caches, Varnish and nginx, which must never send one visitor's answer to another.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startChecks } from './checks.ts';
import { startCachedApp } from './http-cache/cached-app.ts';
import { startNginx, startVarnish } from './http-cache/real-caches.ts';
import type { RealCache, StartCache } from './http-cache/real-caches.ts';
import { findFreePort } from '../conformance/generic/free-port.ts';
import { runHttpCacheTests } from './http-cache/run-suite.ts';

/** As many as undici's cache for shared use passes. */
const REQUIRED = 126;

const checks = startChecks();

await checks.run(
  `the shared cache passes at least ${REQUIRED} of the 157 required tests of cache-tests.fyi`,
  async () => {
    const { passed, failed } = await runHttpCacheTests();
    console.log(`   ${passed.length} of ${passed.length + failed.length}; not ${failed.join(', ')}`);
    assert.ok(passed.length >= REQUIRED);
  },
);

const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-caches-'));
const app = await startCachedApp();
try {
  await checkCache('nginx', { program: 'nginx', start: startNginx });
  await checkCache('Varnish', { program: 'varnishd', start: startVarnish });
} finally {
  app.server.closeAllConnections();
  app.server.close();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

interface Installed {
  program: string;
  start: StartCache;
}

async function checkCache(name: string, { program, start }: Installed): Promise<void> {
  if (!isInstalled(program)) {
    const hint = `${program} is not installed: on Debian, apt-get install ${program === 'nginx' ? 'nginx' : 'varnish'}`;
    if (process.env['CI']) await checks.run(`${name} is installed`, async () => assert.fail(hint));
    else console.log(`not run: ${name}. ${hint}`);
    return;
  }
  const cache = await start(app.port, await findFreePort(), path.join(scratch, program));
  try {
    await checkAnswers(name, cache);
  } finally {
    await cache.stop();
  }
}

async function checkAnswers(name: string, { origin }: RealCache): Promise<void> {
  const ask = async (what: string, headers: Record<string, string> = {}): Promise<{ number: number; name?: string }> =>
    (await (await fetch(`${origin}/${what}?by=${name}`, { headers })).json()) as { number: number; name?: string };
  const numbers = async (what: string): Promise<number[]> => [(await ask(what)).number, (await ask(what)).number];

  await checks.run(`${name} keeps answers that allow it`, async () => {
    assert.deepEqual(await numbers('kept'), [1, 1]);
    const german = { 'accept-language': 'de' };
    const english = { 'accept-language': 'en' };
    const asked = [german, english, german, english];
    const made: number[] = [];
    for (const headers of asked) made.push((await ask('kept-by-language', headers)).number);
    assert.deepEqual(made, [1, 2, 1, 2]);
  });
  await checks.run(`${name} keeps no answer that says nothing, sets a cookie or is private`, async () => {
    for (const what of ['silent', 'silent-not-found', 'with-cookie', 'private']) {
      assert.deepEqual([what, await numbers(what)], [what, [1, 2]]);
    }
  });
  await checks.run(`${name} keeps no failure`, async () => {
    const statuses = [await fetch(`${origin}/failed`), await fetch(`${origin}/failed`)];
    assert.deepEqual(
      statuses.map(({ headers }) => headers.get('cache-control')),
      ['private, no-cache', 'private, no-cache'],
    );
    assert.deepEqual(
      statuses.map(({ headers }) => Number(headers.get('age') ?? 0)),
      [0, 0],
    );
  });
  await checks.run(`${name} shares no answer to a visitor with Authorization or a session`, async () => {
    const [authorization, cookie] = ['Basic YTpi', 'session=ada'];
    assert.equal((await ask('for-user', { authorization })).name, authorization);
    assert.equal((await ask('for-user')).name, null);
    assert.equal((await ask('for-anybody', { authorization })).number, 1);
    assert.equal((await ask('for-anybody')).number, 2);
    assert.equal((await ask('for-session', { cookie })).name, cookie);
    assert.equal((await ask('for-session')).name, null);
  });
}

function isInstalled(program: string): boolean {
  try {
    // Both print their version to stderr.
    execFileSync(program, [program === 'nginx' ? '-v' : '-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
