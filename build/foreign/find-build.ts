import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { toProjectPath } from '../app/project-path.ts';
import { findNearestName } from '../config/nearest-name.ts';
import { parseJson } from '../packages/parse-json.ts';
import { ExportError } from '../problem.ts';
import { PRESETS } from './presets.ts';
import type { Preset } from './presets.ts';

/** A framework's finished build, or the user's own module. */
export interface ForeignBuild {
  /** Its name in messages. */
  name: string;
  /** The absolute path of its server module. */
  server: string;
  /** Whether the server is the user's own module: no other bundler has handled its files. Default: `false`. */
  isSource?: boolean;
  /** The absolute path of the folder with its client files. The folder may be missing. */
  client: string | undefined;
  /** As in {@link Preset}. */
  immutable: readonly string[];
  /** As in {@link Preset}. */
  toEntry?: Preset['toEntry'];
}

/**
 * Finds what `--from` names: the build of a framework by its name or its folder, or a module that exports `fetch`.
 *
 * @throws ExportError when neither exists.
 */
export function findForeignBuild(projectRoot: string, from: string): ForeignBuild {
  const preset = PRESETS.find(({ name }) => name === from);
  if (preset) return toBuild(projectRoot, preset);
  const place = path.resolve(projectRoot, from);
  if (!existsSync(place)) throw refuseName(from);
  if (statSync(place).isFile()) return ofModule(projectRoot, place);
  const packages = listPackages(projectRoot);
  const known = PRESETS.filter((one) => packages.has(one.package)).map((one) => moveTo(place, one));
  const found = known.find((one) => existsSync(one.server));
  if (found) return found;
  const server = MODULES.map((name) => path.join(place, name)).find((file) => existsSync(file));
  if (server) {
    const client = CLIENTS.map((name) => findFolder(path.join(place, name))).find((folder) => folder !== undefined);
    if (client !== undefined && isProject(client)) throw refuseClient(projectRoot, client);
    return { name: from, server, client, immutable: [] };
  }
  throw new ExportError([
    {
      file: from,
      message: `It contains no known server: neither a framework's nor ${MODULES.join(' or ')}.`,
      fix: `Name the module that exports fetch, or a framework: ${names()}.`,
    },
  ]);
}

/** Where a folder may have a module that exports `fetch`. */
const MODULES = ['server/index.mjs', 'server/index.js', 'index.mjs', 'index.js'];
/** Where it may have client files. */
const CLIENTS = ['client', 'public'];

function toBuild(projectRoot: string, preset: Preset): ForeignBuild {
  const server = path.join(projectRoot, preset.server);
  if (!existsSync(server)) {
    throw new ExportError([
      {
        file: preset.server,
        message: `It does not exist, so ${preset.name} has not been built, or has been exported already.`,
        fix: `Run \`${preset.build}\` first.`,
      },
    ]);
  }
  const client = findFolder(path.join(projectRoot, preset.client));
  return { ...preset, server, client, immutable: listImmutable(preset, (name) => path.join(projectRoot, name)) };
}

function listImmutable({ immutable, immutableFile }: Preset, toPath: (name: string) => string): readonly string[] {
  const file = immutableFile === undefined ? undefined : toPath(immutableFile);
  if (file === undefined || !existsSync(file)) return immutable;
  return JSON.parse(readFileSync(file, 'utf8')) as string[]; // our adapter wrote it
}

/** The same build in another folder. */
function moveTo(folder: string, preset: Preset): ForeignBuild {
  const [root = ''] = preset.server.split('/');
  const move = (name: string): string => path.join(folder, path.relative(root, name));
  const immutable = listImmutable(preset, move);
  return { ...preset, server: move(preset.server), client: findFolder(move(preset.client)), immutable };
}

function ofModule(projectRoot: string, server: string): ForeignBuild {
  const client = findFolder(path.join(projectRoot, 'public'));
  return { name: path.basename(server), server, isSource: true, client, immutable: [] };
}

/** A server-only build has no client files. */
function findFolder(place: string): string | undefined {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ? place : undefined;
}

/** The packages that the project names, which distinguish builds with the same layout. */
function listPackages(projectRoot: string): Set<string> {
  const file = path.join(projectRoot, 'package.json');
  if (!existsSync(file)) return new Set();
  const manifest = parseJson(readFileSync(file, 'utf8')) as Record<string, object | undefined>; // npm would refuse another
  return new Set(['dependencies', 'devDependencies'].flatMap((key) => Object.keys(manifest[key] ?? {})));
}

/** Whether a folder contains sources: everything in it would be published. */
function isProject(folder: string): boolean {
  return ['package.json', 'node_modules', 'tsconfig.json', 'src'].some((name) => existsSync(path.join(folder, name)));
}

function refuseClient(projectRoot: string, client: string): ExportError {
  const file = toProjectPath(projectRoot, client);
  return new ExportError([
    {
      file,
      message: 'It looks like a folder of sources, and everything in it would be published.',
      fix: 'Name the module that exports fetch, with the files for clients in public, or the folder of a finished build.',
    },
  ]);
}

function refuseName(from: string): ExportError {
  const nearest = findNearestName(
    from,
    PRESETS.map(({ name }) => name),
  );
  return new ExportError([
    {
      file: from,
      message: `No file or folder of this name exists, and no framework of that name is known.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
      fix: `Name the module that exports fetch, the folder of a build, or a framework: ${names()}.`,
    },
  ]);
}

function names(): string {
  return PRESETS.map(({ name }) => name).join(', ');
}
