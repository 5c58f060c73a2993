import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import type { ExpectStatic } from '@vitest/expect';
import { Assertion, expect as chaiExpect, use } from 'chai';

// In its own tests of this, Vitest has already done so with the same chai.
if (!('toBe' in Assertion.prototype)) {
  for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) use(plugin);
}

/** Vitest's `expect`, without its runner. */
export const expect: ExpectStatic = chaiExpect as unknown as ExpectStatic; // the plugins have added it
