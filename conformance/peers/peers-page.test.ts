import { expect, it } from 'vitest';
import { loadBehaviours } from '../generic/tool/topics.ts';
import type { BehaviourResult } from '../generic/results.ts';
import { findReproductions } from './find-reproductions.ts';
import { peersPage } from './peers-page.ts';
import type { PeerResult } from './run-peer.ts';
import { RISKY } from './withheld.ts';

const STANDARD = 'RFC 9110 section 5.3';
const risky = RISKY[0] as string; // it is not empty

function peer(name: string, failed: readonly string[], lost: readonly string[] = []): PeerResult {
  const names = ['keeps headers', 'sends a length', 'stays up', risky];
  const behaviours = names.map((behaviour): BehaviourResult => {
    const state = failed.includes(behaviour) ? 'failed' : 'passed';
    const source = behaviour === 'sends a length' ? 'quality: clients show progress by it' : STANDARD;
    return { topic: 'all', name: behaviour, source, state, lostServer: lost.includes(behaviour) };
  });
  return { peer: { name, title: `The ${name}`, package: name }, version: '1.2.3', behaviours };
}

function page(...results: PeerResult[]): string {
  return peersPage(results, { date: '2026-11-23', reproductions: new Map([['keeps headers', 'headers']]) });
}

it('distinguishes behaviours that a standard requires from those of quality', () => {
  const text = page(peer('appkit', []), peer('other', ['keeps headers', 'sends a length']));
  expect(text).toContain(`| [keeps headers](../conformance/peers/reproductions/headers.mjs) | ${STANDARD} | ✓ | ✗ |`);
  expect(text).toContain('| sends a length | quality: clients show progress by it | ✓ | ○ |');
  expect(text).toContain('| The other | other 1.2.3 | 1 | 1 | 1 |');
});

it('withholds a risky row for every peer, whatever it shows', () => {
  const row = `| ${risky} | ${STANDARD} | ✓ | withheld | withheld |`;
  expect(page(peer('appkit', []), peer('one', [risky]), peer('two', []))).toContain(row);
  expect(page(peer('appkit', []), peer('one', []), peer('two', []))).toContain(row);
});

it('withholds a row that stopped a peer', () => {
  const text = page(peer('appkit', []), peer('one', ['stays up'], ['stays up']), peer('two', []));
  expect(text).toContain(`| stays up | ${STANDARD} | ✓ | withheld | withheld |`);
  // If it were counted, the count would reveal which.
  expect(text).toContain('| The one | one 1.2.3 | 2 | 0 | 0 |');
});

it('withholds and reproduces only behaviours that exist', async () => {
  const names = (await loadBehaviours()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...RISKY]));
  const reproduced = [...(await findReproductions()).keys()];
  expect(names).toEqual(expect.arrayContaining(reproduced));
  // Withheld behaviours have no script.
  expect(reproduced.filter((name) => RISKY.includes(name))).toEqual([]);
});
