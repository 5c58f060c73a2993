import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { endGroup, killGroup, spawnGroup } from './process-group.ts';

const options = { folder: import.meta.dirname, env: process.env };

it('ends all processes of a group', async () => {
  const leader = spawnGroup(['sh', '-c', 'sleep 1000 & echo started; wait'], options);
  await once(leader.stdout, 'data');
  await endGroup(leader);
  expect(leader.signalCode ?? (await once(leader, 'exit'))[1]).toBe('SIGKILL');
});

it.runIf(process.platform === 'linux')('does not wait until dead processes are reaped', async () => {
  const parent = spawnGroup(['sh', '-c', "setsid sh -c 'echo $$; exec sleep 1000' & wait"], options);
  try {
    const [text] = (await once(parent.stdout, 'data')) as [string];
    const group = { pid: Number(text) };
    // A parent that is stopped reaps nothing.
    parent.kill('SIGSTOP');
    expect(await Promise.race([endGroup(group), delay(3_000, 'still waits')])).toBeUndefined();
    expect(killGroup(group)).toBe(true);
  } finally {
    await endGroup(parent);
  }
});
