/**
 * `npm run cluster`: examples/cluster as its README describes it, three instances behind HAProxy with one cache in
 * Redis. Instances are restarted and killed under load, and Redis is stopped.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRedis, startRedis } from '../adapters/_redis/redis-server.cases.ts';
import { startChecks } from './checks.ts';
import { startInstance, startProxy } from './cluster/cluster.ts';
import { startLoad } from './cluster/load.ts';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/cluster');
const REQUESTS = 20_000;
const CONNECTIONS = 32;

const checks = startChecks();
const redisProgram = findRedis();
const missing = [...(redisProgram ? [] : ['redis-server']), ...(isInstalled('haproxy', ['-v']) ? [] : ['haproxy'])];
if (redisProgram === undefined || missing.length > 0) {
  const hint = `${missing.join(' and ')} not installed: on Debian, apt-get install ${missing.join(' ')}`;
  if (process.env['CI']) await checks.run('HAProxy and Redis are installed', async () => assert.fail(hint));
  else console.log(`not run: the cluster. ${hint}`);
} else {
  await checkCluster(redisProgram);
}
process.exitCode = checks.report();

async function checkCluster(program: string): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-cluster-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  try {
    const project = path.join(scratch, 'cluster');
    const tarballs = await packPackages(path.join(scratch, 'tarballs'));
    await createProject({ from: EXAMPLE, into: project, tarballs, omitDev: false });
    await checks.run('the example type-checks', () => runCommand([...npmCommand(), 'run', 'types'], { cwd: project }));
    await runCommand([...npmCommand(), 'run', 'build'], { cwd: project });

    const redis = await startRedis(program);
    closing.push(() => redis.stop());
    const env = { REDIS_URL: `redis://127.0.0.1:${redis.port}`, POSTS_FOLDER: scratch };
    // A busy machine may exceed the default, and an instance that renders without Redis would be one too many.
    const patient = { ...env, REDIS_TIMEOUT_MS: '600000' };
    const starting = ['one', 'two', 'three'].map((name) => startInstance(name, project, patient));
    const instances = await Promise.all(starting);
    for (const instance of instances) closing.push(() => instance.kill());
    const proxy = await startProxy(project, instances);
    closing.push(() => proxy.stop());
    await proxy.allUp();
    await checkAnswers({ instances, proxy, redis, env });
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

interface Cluster {
  instances: Awaited<ReturnType<typeof startInstance>>[];
  proxy: Awaited<ReturnType<typeof startProxy>>;
  redis: { stop(): Promise<void> };
  /** With Redis's default timeout. */
  env: Record<string, string>;
}

async function checkAnswers({ instances, proxy, redis, env }: Cluster): Promise<void> {
  const { host } = new URL(proxy.origin);
  // In the form in which HAProxy requests them: the visitor's URL is the cache key.
  const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'http' };
  const textsOfAll = (target: string): Promise<string[]> =>
    Promise.all(instances.map(async ({ origin }) => (await fetch(origin + target, { headers })).text()));
  const renders = async (): Promise<number> => {
    const answers = (await textsOfAll('/instance')).map((text) => (JSON.parse(text) as { renders: number }).renders);
    return answers.reduce((sum, count) => sum + count, 0);
  };
  const save = (text: string): Promise<Response> => fetch(`${proxy.origin}/posts/1`, { method: 'PUT', body: text });

  await checks.run('100 cold requests at once render once over all instances', async () => {
    const asked = Array.from({ length: 100 }, () => fetch(`${proxy.origin}/posts/cold`));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(await renders(), 1);
  });

  await checks.run('an invalidation is seen by all instances within one second', async () => {
    assert.equal((await save('first')).status, 204);
    for (const text of await textsOfAll('/posts/1')) assert.match(text, /first/);
    const before = await renders();
    await textsOfAll('/posts/1');
    assert.equal(await renders(), before, 'it is kept');
    assert.equal((await save('second')).status, 204);
    const saved = performance.now();
    for (const text of await textsOfAll('/posts/1')) assert.match(text, /second/);
    const tookMs = performance.now() - saved;
    console.log(`     after ${Math.round(tookMs)} ms, with the rendering`);
    assert.ok(tookMs < 1000, `It took ${tookMs} ms.`);
  });

  await checks.run(
    `an instance killed during ${REQUESTS} requests loses none but those on its connections`,
    async () => {
      const load = startLoad(`${proxy.origin}/posts/1`, CONNECTIONS);
      const killAfter = Math.floor(REQUESTS * (0.2 + 0.6 * Math.random()));
      const victim = instances[Math.floor(Math.random() * instances.length)] ?? assert.fail('There are three.');
      await load.reached(killAfter);
      const mayBeLost = new Set(load.inProgress());
      await victim.kill();
      for (const number of load.inProgress()) mayBeLost.add(number);
      await load.reached(REQUESTS);
      const { answered, lost } = await load.end();
      await victim.start();
      await proxy.allUp();
      console.log(`     ${victim.name} after ${killAfter}: ${answered} answered, ${lost.size} lost`);
      const others = [...lost].filter(([number]) => !mayBeLost.has(number));
      assert.deepEqual(others.slice(0, 5), []);
      assert.ok(lost.size <= CONNECTIONS, `${lost.size} were lost.`);
    },
  );

  await checks.run('a rolling restart loses no request, and no request has to be repeated', async () => {
    const load = startLoad(`${proxy.origin}/posts/1`, CONNECTIONS);
    const before = await proxy.repeated();
    try {
      for (const instance of instances) {
        assert.equal((await instance.stop()).code, 0);
        await instance.start();
        await proxy.allUp();
      }
    } finally {
      await load.end();
    }
    const { answered, lost } = await load.end();
    console.log(`     ${answered} answered meanwhile`);
    assert.deepEqual([...lost].slice(0, 5), []);
    assert.ok(answered > 0);
    assert.equal(await proxy.repeated(), before);
  });

  await checks.run('answers go on without Redis, and each instance calls onError once', async () => {
    for (const instance of instances) {
      await instance.stop();
      await instance.start(env);
    }
    await redis.stop();
    for (let round = 0; round < 5; round++) {
      for (const text of await textsOfAll('/posts/1')) assert.match(text, /second/);
    }
    for (const { origin } of instances) assert.equal((await fetch(`${origin}/readyz`)).status, 200);
    for (const instance of instances) await instance.waitForOutput(/^onError: /m);
    const ends = await Promise.all(instances.map((instance) => instance.stop()));
    const told = ends.map(({ output }) => output.match(/^onError: /gm)?.length);
    assert.deepEqual(told, [1, 1, 1]);
  });
}

function isInstalled(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
