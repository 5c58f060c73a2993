import { expect, it } from 'vitest';
import { findHosts, withNewestTools } from './hosts.ts';
import { toNewest } from './install-newest.ts';

const LOCKED = { private: true, dependencies: { one: '1.2.3', two: '4.5.6' } };

it('installs the latest version of each tool', () => {
  expect(toNewest(LOCKED)).toEqual({ private: true, dependencies: { one: 'latest', two: 'latest' } });
});

it('installs the tools that a host names, when one tool brings the others', () => {
  expect(toNewest({ ...LOCKED, newest: { two: 'next' } })).toEqual({ private: true, dependencies: { two: 'next' } });
});

it('accepts any version of the tool, and says so in the title', async () => {
  const host = (await findHosts()).find(({ emulator }) => emulator.name === 'cloudflare');
  if (!host) throw new Error('There is no host cloudflare.');
  expect('4.999.0').not.toMatch(host.emulator.tool.expected);
  const { emulator } = withNewestTools(host);
  expect('4.999.0').toMatch(emulator.tool.expected);
  expect(emulator.title).toBe(`${host.emulator.title}, but with the newest tools`);
});
