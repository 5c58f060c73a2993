/** `npm run conformance:peers`: tests other projects' servers with the generic behaviours, and writes docs/peers.md. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { peers } from './peers.ts';
import { peersPage } from './peers-page.ts';
import { findReproductions } from './find-reproductions.ts';
import { installPeers, runPeer } from './run-peer.ts';
import { runReproduction } from './run-reproduction.ts';
import { withheld } from './withheld.ts';
import type { PeerResult } from './run-peer.ts';

const { values } = parseArgs({
  options: {
    peer: { type: 'string', multiple: true, default: [] },
    page: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const unknown = values.peer.filter((name) => !peers.some((peer) => peer.name === name));
if (unknown.length > 0) {
  throw new Error(`No peer is called ${unknown.join(', ')}. There are: ${peers.map(({ name }) => name).join(', ')}.`);
}
// An abandoned behaviour may still fail, and nothing waits for it any more.
process.on('unhandledRejection', () => {});

const chosen = values.peer.length === 0 ? peers : peers.filter(({ name }) => values.peer.includes(name));
const folder = await installPeers();
const results: PeerResult[] = [];
for (const peer of chosen) {
  const result = await runPeer(peer, folder);
  results.push(result);
  const failed = result.behaviours.filter(({ state }) => state === 'failed');
  console.log(`${peer.name} ${result.version}: ${failed.length} of ${result.behaviours.length} not shown`);
  // The details stay on this machine: the page withholds some of them.
  if (values.peer.length > 0) for (const { name, error } of failed) console.log(`  ${name}: ${error}`);
}
const reproductions = await findReproductions();
const hidden = withheld(results.map(({ behaviours }) => behaviours));
let missing = 0;
for (const { peer, behaviours } of results) {
  for (const { name, state } of behaviours) {
    if (state !== 'failed' || hidden.has(name)) continue;
    const script = reproductions.get(name);
    const shown = script === undefined ? undefined : await runReproduction(script, peer, folder);
    if (shown?.shows) continue;
    missing++;
    console.log(`${peer.name}: no script of reproductions/ shows "${name}".${shown ? `\n${shown.output}` : ''}`);
  }
}
// Only a full run knows every cell.
if (values.page && values.peer.length === 0) {
  const page = path.join(import.meta.dirname, '../../docs/peers.md');
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(page, peersPage(results, { date, reproductions }));
  console.log(`Wrote ${page}`);
}
// An abandoned behaviour may still wait for its server.
process.exit(missing === 0 ? 0 : 1);
