import { expect, it } from 'vitest';
import { runInThread } from './run-in-thread.ts';

const nobody = { name: 'nobody', origin: 'http://127.0.0.1:1', basePath: '', lacks: [], extras: [], gaps: [] };

it('runs what is chosen, in one order per seed', async () => {
  const names = async (options: object): Promise<string[]> => {
    const { behaviours } = await runInThread({ host: nobody, options: { topics: ['params'], ...options } });
    expect(behaviours.length).toBeGreaterThan(0);
    for (const { topic, state } of behaviours) expect([topic, state]).toEqual(['params', 'failed']);
    return behaviours.map(({ name }) => name);
  };
  const written = await names({});
  expect(await names({ only: 'decodes' })).toEqual(written.filter((name) => name.includes('decodes')));
  const shuffled = await names({ seed: 7 });
  expect(shuffled).not.toEqual(written);
  expect(shuffled.toSorted()).toEqual(written.toSorted());
  expect(await names({ seed: 7 })).toEqual(shuffled);
});
