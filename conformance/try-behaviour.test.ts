import { expect, it } from 'vitest';
import type { Gap } from './emulator.ts';
import { NotApplicable } from './generic/not-applicable.ts';
import type { BehaviourResult } from './generic/results.ts';
import type { HostDescription } from './host.ts';
import type { TopicBehaviour } from './load-behaviours.ts';
import { createSharedServers } from './shared-servers.ts';
import { tryBehaviour } from './try-behaviour.ts';

const local = { folders: { app: '.' }, command: ['node'], env: {}, ready: /ready/, cli: ['appkit'] } as const;
const gap: Gap = { behaviour: 'does it', fails: /wrong/, reason: 'It cannot.', link: 'https://host.example' };
const wrong = (): Promise<void> => Promise.reject(new Error('wrong', { cause: new Error('the cause') }));
const right = (): Promise<void> => Promise.resolve();

function ask(
  host: Partial<HostDescription>,
  run: () => Promise<void>,
  more: Partial<TopicBehaviour> = {},
): Promise<BehaviourResult> {
  const behaviour = { topic: 'all', isGeneric: false, name: 'does it', source: 'B1', run, ...more };
  const known = { name: 'host', origin: 'http://127.0.0.1:1', basePath: '', lacks: [], extras: [], gaps: [], seed: 1 };
  return tryBehaviour(behaviour, { ...known, local, ...host }, createSharedServers());
}

it('names topic, behaviour and source of a behaviour that the host shows', async () => {
  const result = await ask({}, right);
  expect(result).toMatchObject({ topic: 'all', name: 'does it', source: 'B1', state: 'passed' });
  expect(result).not.toHaveProperty('error');
});

it('says why a behaviour fails, and shows the values that were compared', async () => {
  expect(await ask({}, wrong)).toMatchObject({ state: 'failed', error: 'wrong: the cause' });
  const { stack } = await ask({}, async () => expect({ a: 1 }).toEqual({ a: 2 }));
  expect(stack).toMatch(/expected: { a: 2 }\nreceived: { a: 1 }$/);
});

it('fails what still waits at its limit', async () => {
  const result = await ask({ limitMs: 1 }, () => new Promise(() => {}));
  expect(result).toMatchObject({ state: 'failed', error: 'It still waited when its time was over.' });
});

it('accepts a failure that a gap names, and no other', async () => {
  expect(await ask({ gaps: [gap] }, wrong)).toMatchObject({ state: 'gap' });
  const other = await ask({ gaps: [gap] }, () => Promise.reject(new Error('another')));
  expect(other).toMatchObject({ state: 'failed', error: expect.stringContaining('This time: another') });
});

it('fails when a gap has closed, but not on a deployed host, which may show more than its emulator', async () => {
  const closed = await ask({ gaps: [gap] }, right);
  expect(closed).toMatchObject({ state: 'failed', error: expect.stringContaining('remove this gap') });
  const known = {
    name: 'host',
    origin: 'http://127.0.0.1:1',
    basePath: '',
    lacks: [],
    extras: [],
    gaps: [gap],
    seed: 1,
  };
  const behaviour = { topic: 'all', isGeneric: false, name: 'does it', source: 'B1' };
  const shared = createSharedServers();
  expect(await tryBehaviour({ ...behaviour, run: right }, known, shared)).toMatchObject({ state: 'passed' });
  expect(await tryBehaviour({ ...behaviour, run: wrong }, known, shared)).toMatchObject({ state: 'gap' });
});

it('does not run what needs something that the host lacks', async () => {
  const lacks = [{ what: 'shutdown', reason: 'none', link: 'https://host.example' }] as const;
  expect(await ask({ lacks }, wrong, { needs: 'shutdown' })).toMatchObject({ state: 'not-applicable' });
  expect(await ask({ lacks }, wrong, { needs: ['jobs', 'shutdown'] })).toMatchObject({ state: 'not-applicable' });
  expect(await ask({ lacks }, wrong, { needs: 'jobs' })).toMatchObject({ state: 'failed' });
});

it('leaves out what turns out not to apply', async () => {
  const result = await ask({}, () => Promise.reject(new NotApplicable('This host takes no options.')));
  expect(result).toMatchObject({ state: 'not-applicable' });
});
