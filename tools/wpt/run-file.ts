/**
 * Runs one file of the Web Platform Tests in this process, and sends the result of each subtest to its parent.
 *
 * Arguments: the folder of the tests, the file in it, and `light` or `native`: which `Request`, `Response` and `fetch`
 * the file uses.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { offerLightFetch } from '../../adapters/_light/light-fetch.ts';

/** How a subtest ended. */
export interface Subtest {
  name: string;
  /** Numbers from testharness.js: 0 is passed. */
  status: number;
  message: string | null;
}

interface Harness {
  add_completion_callback(callback: (tests: Subtest[], end: { status: number; message: string | null }) => void): void;
}

type Names = Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'>;

const [folder = '', file = '', kind] = process.argv.slice(2);
const bound = Symbol.for('appkit.fetch');
if (kind === 'light') offerLightFetch({ manifest: { version: 1, routes: [], boundFetch: true } });
const names = (globalThis as { [bound]?: Names })[bound] ?? globalThis;

// What the tests expect of their environment.
Object.assign(globalThis, {
  self: globalThis,
  location: new URL(`http://web-platform.test/${file}`),
  GLOBAL: { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false },
});

runInThisContext(read('/resources/testharness.js'), { filename: 'testharness.js' });
const { add_completion_callback: whenComplete } = globalThis as unknown as Harness;
whenComplete((tests, end) => {
  const subtests = tests.map(({ name, status, message }) => ({ name, status, message }));
  // The result of the file itself, as an additional subtest.
  subtests.push({ name: 'the file', ...end });
  process.send?.(subtests, () => process.exit());
});

const source = read(file);
const scripts = [...source.matchAll(/^\/\/ META: script=(.+)$/gm)].map(([, name = '']) => read(name.trim()));
// The names are parameters, as they are bindings of the bundle in an exported app.
const whole = `(function (Request, Response, fetch) {\n${[...scripts, source].join('\n')}\n})`;
const run = runInThisContext(whole, { filename: file }) as (...given: unknown[]) => void;
run.call(globalThis, names.Request, names.Response, names.fetch);

function read(name: string): string {
  const place = name.startsWith('/') ? path.join(folder, name) : path.join(folder, path.dirname(file), name);
  return readFileSync(name === file ? path.join(folder, file) : place, 'utf8');
}
