import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { collectFields } from './collect-fields.ts';

it('has every value of every name in order, and arrays only for repeated names', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a', '0'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
      const params = new URLSearchParams(pairs);
      const fields = collectFields(params);
      expect(Object.keys(fields).toSorted()).toEqual([...new Set(params.keys())].toSorted());
      for (const name of params.keys()) {
        const values = params.getAll(name);
        expect(Object.getOwnPropertyDescriptor(fields, name)?.value).toEqual(values.length === 1 ? values[0] : values);
      }
    }),
    propertyRuns({ push: 1000, weekly: 100_000 }),
  );
});
