import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Compiled, as users run it: npm run unit compiles first.
const bin = path.join(import.meta.dirname, '../bin/appkit-conformance.js');
const naive = `exec node '${path.join(import.meta.dirname, '../fixtures/naive-server.mjs')}'`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-tool-'));
});

afterAll(() => rm(folder, { recursive: true }));

interface Run {
  code: number | string | null | undefined;
  output: string;
}

function run(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}

it('names what a server does not show, and why it should', async () => {
  const files = ['json', 'junit', 'badge'].map((kind) => [`--${kind}`, path.join(folder, kind)]);
  const { code, output } = await run('--start', naive, '--topic', 'cookies', '--limit', '5', ...files.flat());
  expect(output).toContain('FAILED cookies: sends several cookies as several header lines (RFC 6265 section 3)');
  expect(output).toMatch(/\n0 passed\. 3 failed: 3 of a standard, 0 of quality\.\n$/);
  expect(code).toBe(1);
  const json = JSON.parse(await readFile(path.join(folder, 'json'), 'utf8')) as { behaviours: { state: string }[] };
  expect(json.behaviours.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  expect(await readFile(path.join(folder, 'junit'), 'utf8')).toContain('tests="3" failures="3"');
  expect(await readFile(path.join(folder, 'badge'), 'utf8')).toContain('HTTP conformance: 0/3');
});

it('says which behaviour has ended the server, and asks another server for the rest', async () => {
  const { code, output } = await run('--start', naive, '--topic', 'errors', '--topic', 'methods', '--limit', '5');
  expect(output).toMatch(
    /FAILED errors: answers 500 when a route throws \(.*\)\n.*\n\s+After that, the server ended: exit/,
  );
  expect(output).not.toContain('FAILED methods: runs POST');
  expect(code).toBe(1);
});

it('passes where everything that is asked for is shown', async () => {
  const { code, output } = await run('--start', naive, '--topic', 'proxies');
  expect(output).toMatch(/\n1 passed\. 0 failed: /);
  expect(code).toBe(0);
});

it('ends the server that it has started', async () => {
  const command = `${naive} > '${folder}/printed'`;
  await run('--start', command, '--topic', 'proxies');
  const pid = Number(/^process (\d+)/.exec(await readFile(path.join(folder, 'printed'), 'utf8'))?.[1]);
  // Process 1 may take its time to reap it.
  await expect.poll(() => existsProcess(pid)).toBe(false);
});

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('says that a server does not serve the fixture', async () => {
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { code, output } = await run('--url', url);
    expect(output).toContain(`error: ${url}/ does not serve the fixture: GET ${url}/hello answered 404.\n`);
    expect(code).toBe(2);
  } finally {
    server.close();
  }
});

it('says why a command does not become a server', async () => {
  const { code, output } = await run('--start', 'echo no such luck; exit 3');
  expect(output).toContain(
    'error: echo no such luck; exit 3 ended with exit code 3 before it answered. It printed:\nno such luck\n',
  );
  expect(code).toBe(2);
});

it('refuses what it does not understand', async () => {
  for (const [args, message] of [
    [[], 'error: Give either --url with the URL of a server, or --start with the command of one.'],
    [
      ['--url', 'fixture.example'],
      'error: --url takes a whole URL such as https://fixture.example, not fixture.example.',
    ],
    [['--start', 'true', '--topic', 'cookie'], 'error: No topic is called cookie. There are: connections, cookies,'],
    [['--start', 'true', '--limit', '0'], 'error: --limit takes a whole number from 1, not 0.'],
    [['--strat', 'true'], "error: Unknown option '--strat'"],
  ] as const) {
    const { code, output } = await run(...args);
    expect(output).toContain(message);
    expect(code).toBe(2);
  }
});

it('lists the behaviours of a topic that standards require', async () => {
  const { output } = await run('--list', '--topic', 'connections', '--standards-only');
  expect(output).toContain('connections: sends HTTP/1.0 nothing in chunks (RFC 9112 section 6.1)\n');
  expect(output).not.toContain('quality');
});

it('has one name for each behaviour', async () => {
  const { output } = await run('--list');
  const names = output
    .trim()
    .split('\n')
    .map((line) => line.replace(/ \((?:.|\n)*$/, ''));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
});
