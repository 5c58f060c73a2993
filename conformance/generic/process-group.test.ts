import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
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
    // While the clock stands still, the limit does not come.
    vi.useFakeTimers({ toFake: ['Date'] });
    await endGroup(group);
    expect(killGroup(group)).toBe(true);
  } finally {
    vi.useRealTimers();
    await endGroup(parent);
  }
});
