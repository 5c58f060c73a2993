import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import type { ExpectStatic } from '@vitest/expect';
import { expect as chaiExpect, use } from 'chai';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) use(plugin);

/** Vitest's `expect`, without its runner. */
export const expect: ExpectStatic = chaiExpect as unknown as ExpectStatic; // the plugins have made it that
