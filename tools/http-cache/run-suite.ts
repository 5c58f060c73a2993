import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installLocked } from '../../conformance/install-locked.ts';
import { startCacheProxy } from './cache-proxy.ts';
import { findFreePort } from '../../conformance/generic/free-port.ts';

/** The results of a cache in the tests that the suite marks as required. */
export interface SuiteResult {
  passed: string[];
  failed: string[];
}

interface Suite {
  tests: { id: string; kind?: string; browser_only?: boolean }[];
}

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/**
 * Runs the suite of cache-tests.fyi against the shared cache. It takes 20 seconds, most of which is waiting for answers
 * to become stale.
 */
export async function runHttpCacheTests(): Promise<SuiteResult> {
  const installed = await installLocked(
    path.join(import.meta.dirname, 'suite'),
    path.join(REPOSITORY, '.cache/tools/http-cache'),
  );
  const suiteRoot = path.join(installed, 'node_modules/http-cache-tests');
  const load = (file: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(path.join(installed, 'node_modules', file)).href);
  const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-http-cache-'));
  const [originPort, proxyPort] = [await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    npm_config_protocol: 'http',
    npm_config_port: String(originPort),
    npm_config_pidfile: path.join(scratch, 'pid'),
  };
  const origin = spawn(process.execPath, [path.join(suiteRoot, 'server/server.mjs')], { cwd: scratch, env });
  await once(origin.stdout, 'data');
  const proxy = await startCacheProxy(originPort, proxyPort);
  try {
    const [{ runTests, getResults }, { default: suites }, { default: fetch }] = (await Promise.all([
      load('http-cache-tests/client/runner.mjs'),
      load('http-cache-tests/tests/index.mjs'),
      load('node-fetch/lib/index.mjs'),
    ])) as [
      { runTests: (...args: unknown[]) => Promise<void>; getResults: () => Record<string, unknown> },
      { default: Suite[] },
      { default: unknown },
    ]; // the suite has no types
    await runTests(suites, fetch, false, `http://127.0.0.1:${proxyPort}`);
    const results = getResults();
    const required = suites.flatMap(({ tests }) => tests).filter((test) => !test.kind || test.kind === 'required');
    const ids = required.filter((test) => !test.browser_only).map(({ id }) => id);
    return { passed: ids.filter((id) => results[id] === true), failed: ids.filter((id) => results[id] !== true) };
  } finally {
    origin.kill();
    proxy.closeAllConnections();
    proxy.close();
    await rm(scratch, { recursive: true, force: true });
  }
}
