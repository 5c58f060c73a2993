import { afterAll, beforeEach, expect, it } from 'vitest';
import path from 'node:path';
import { killAbandonedServers } from './server-process.ts';
import type { ServerCommand } from './server-process.ts';
import { createSharedServers } from './shared-servers.ts';

const servers = createSharedServers();
afterAll(() => servers.killAll());
beforeEach(() => servers.keepUsed());

function command(name: string): ServerCommand {
  return {
    command: [process.execPath, 'plain-server.ts'],
    folder: path.join(import.meta.dirname, 'fixtures'),
    env: { NAME: name },
    ready: /Listening on (http:\S+)/,
  };
}

async function ask(origin: string): Promise<string> {
  return (await fetch(origin)).text();
}

it('starts one server for behaviours that ask for the same one', async () => {
  const [first, second] = await Promise.all([servers.get(command('a')), servers.get(command('a'))]);
  expect(second.origin).toBe(first.origin);
  const other = await servers.get(command('b'));
  expect(other.origin).not.toBe(first.origin);
  expect(await ask(other.origin)).toBe('b');
});

it('keeps them when the servers of a behaviour are killed', async () => {
  const { origin } = await servers.get(command('a'));
  await killAbandonedServers();
  expect(await ask(origin)).toBe('a');
});

it('kills the servers that a failed behaviour has used, and starts others for the next', async () => {
  const kept = await servers.get(command('a'));
  servers.keepUsed();
  const used = await servers.get(command('b'));
  await servers.killUsed();
  await expect(ask(used.origin)).rejects.toThrow('fetch failed');
  expect(await ask(kept.origin)).toBe('a');
  expect(await ask((await servers.get(command('b'))).origin)).toBe('b');
});

it('asks again for a server that could not be started', async () => {
  await expect(servers.get({ ...command('a'), command: [process.execPath, 'missing.ts'] })).rejects.toThrow(/missing/);
  await servers.killUsed();
  expect(await ask((await servers.get(command('a'))).origin)).toBe('a');
});
