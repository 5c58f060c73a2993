import { expect, it } from 'vitest';
import type { StandardSchemaV1 } from '../contract/standard-schema.ts';
import { checkInput } from './check-input.ts';

const refusing = (count: number): StandardSchemaV1 => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => ({ issues: Array.from({ length: count }, (_, at) => ({ message: 'no', path: [at] })) }),
  },
});

it('accepts any input without a schema', async () => {
  expect(await checkInput(undefined, 5)).toEqual({ value: 5 });
});

it('names the first five problems, and how many there are besides', async () => {
  const five = '#/0: no; #/1: no; #/2: no; #/3: no; #/4: no';
  expect(await checkInput(refusing(1), 5)).toEqual({ problem: '#/0: no' });
  expect(await checkInput(refusing(5), 5)).toEqual({ problem: five });
  expect(await checkInput(refusing(7), 5)).toEqual({ problem: `${five}; and 2 more` });
});
