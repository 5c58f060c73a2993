import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startAnsweringServer, text } from './fixtures/answering-server.ts';

/** Imports a package in a separate Node process, and prints which globals that changed, and which it read. */
const watching = `
  // Node's own modules load more of Node when they are first imported.
  await Promise.all(['node:child_process', 'node:http', 'node:net'].map((name) => import(name)));
  const names = ['window', 'document', 'location', 'localStorage', 'navigator', 'crypto', 'fetch', 'BroadcastChannel'];
  const read = [];
  for (const name of names) {
    Object.defineProperty(globalThis, name, { configurable: true, get: () => void read.push(name) });
  }
  const before = [...Reflect.ownKeys(globalThis), ...process.eventNames()];
  const resources = process.getActiveResourcesInfo().length;
  await import(process.argv[1]);
  console.log(JSON.stringify({
    added: Reflect.ownKeys(globalThis).filter((name) => !before.includes(name)).map(String),
    listeners: process.eventNames().filter((name) => !before.includes(name)).map(String),
    read,
    resources: process.getActiveResourcesInfo().length - resources,
  }));
`;

it.each<[name: string, what: string, read: string[]]>([
  ['appkit-crypto', 'nothing', []],
  ['appkit-web-browser', 'nothing', []],
  ['appkit-auth-session/core', 'nothing', []],
  ['appkit-auth-session', 'nothing', []],
  // jose does, for the header of its own requests.
  ['appkit-auth-session/server', 'the name of the runtime', ['navigator']],
])('importing %s changes nothing and reads %s', async (name, _, read) => {
  const args = ['--input-type=module', '--eval', watching, name];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({ added: [], listeners: [], read, resources: 0 });
  expect(stderr).toBe('');
});

it('can be imported in a worker, where there is no window', async () => {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, 'fixtures/worker.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false });
  await bundle.close();
  await using server = await startAnsweringServer();
  server.answer = text(200, 'text/html', '<!doctype html>');
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const seen = await page.evaluate(async (code) => {
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      return new Promise((resolve, reject) => {
        worker.addEventListener('message', ({ data }) => resolve(data));
        worker.addEventListener('error', ({ message }) => reject(new Error(message)));
      });
    }, output[0].code);
    expect(seen).toEqual({ window: 'undefined', redirectUri: '', state: expect.stringMatching(/^[\w-]{43}$/) });
  } finally {
    await browser.close();
  }
});
