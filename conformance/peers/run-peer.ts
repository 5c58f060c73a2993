import { cp, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runBehaviours } from '../generic/tool/run-behaviours.ts';
import { startServer } from '../generic/tool/start-server.ts';
import { loadBehaviours } from '../generic/tool/topics.ts';
import type { BehaviourResult } from '../generic/results.ts';
import { runCommand } from '../command.ts';
import { installLocked } from '../install-locked.ts';
import type { Peer } from './peers.ts';

/** What a peer shows. */
export interface PeerResult {
  peer: Peer;
  version: string;
  behaviours: readonly BehaviourResult[];
}

const repository = path.join(import.meta.dirname, '../..');
/** How long one behaviour may take: one that takes longer waits forever. */
const LIMIT_MS = 6_000;

/** Installs the peers, next to the servers and the compiled fixture, and returns the folder. */
export async function installPeers(): Promise<string> {
  const folder = await installLocked(import.meta.dirname, path.join(repository, '.cache/peers'));
  const copies = [
    [path.join(import.meta.dirname, 'servers'), 'servers'],
    [path.join(import.meta.dirname, 'projects'), 'projects'],
    [path.join(import.meta.dirname, 'reproductions'), 'reproductions'],
    [path.join(repository, 'conformance/generic/lib/fixture'), 'fixture'],
  ] as const;
  for (const [from, to] of copies) {
    await rm(path.join(folder, to), { recursive: true, force: true });
    await cp(from, path.join(folder, to), { recursive: true });
  }
  const ours = path.join(folder, 'node_modules/appkit-server');
  await rm(ours, { force: true });
  await symlink(path.join(repository, 'runtime'), ours);
  return folder;
}

/** Runs every generic behaviour against a peer. */
export async function runPeer(peer: Peer, folder: string): Promise<PeerResult> {
  if (peer.build) await buildProject(peer.name, peer.build, folder);
  const server = await startServer(commandOf(peer, folder));
  try {
    const options = { seed: 1, limitMs: LIMIT_MS, ended: () => {} };
    const { behaviours } = await runBehaviours(await loadBehaviours(), server, options);
    return { peer, version: await versionOf(peer, folder), behaviours };
  } finally {
    await server.stop();
  }
}

/** Builds the framework's project as one of its users does. */
async function buildProject(name: string, [tool = '', ...args]: readonly string[], folder: string): Promise<void> {
  const file = path.join(folder, 'node_modules/.bin', tool);
  await runCommand([process.execPath, file, ...args], path.join(folder, 'projects', name));
}

function commandOf({ name, program = 'node' }: Peer, folder: string): string {
  const bin = path.join(folder, 'node_modules/.bin');
  // In production, servers do not reveal the messages of errors.
  return `NODE_ENV=production PATH='${bin}':"$PATH" exec ${program} '${folder}/servers/serve-fixture.mjs' ${name}`;
}

async function versionOf(peer: Peer, folder: string): Promise<string> {
  const file = path.join(folder, 'node_modules', peer.package, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}
