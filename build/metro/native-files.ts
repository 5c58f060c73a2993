import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { toPublicJson } from '../secrets/client-env.ts';
import type { NativeApp } from './read-app.ts';

/** The files written for a native build, as absolute paths. */
export interface NativeFiles {
  /** The module that tells the client where its server is. */
  originFile: string;
  /** The script that gives client code its environment variables. */
  environmentFile: string;
  /** The module that `transformer.babelTransformerPath` names. */
  transformerFile: string;
}

const FOLDER = '.appkit/native';

/** Writes the modules that carry the app config into a native build. Metro notices its changes through them. */
export function writeNativeFiles(
  projectRoot: string,
  { babelTransformer, developmentPort }: { babelTransformer: string; developmentPort: number },
): NativeFiles {
  const { origin, base = '', routesFolder } = readApp(projectRoot);
  const files = {
    originFile: path.join(projectRoot, FOLDER, 'origin.js'),
    environmentFile: path.join(projectRoot, FOLDER, 'environment.js'),
    transformerFile: path.join(projectRoot, FOLDER, 'transformer.cjs'),
  };
  write(
    files.originFile,
    `export const origin = ${JSON.stringify(origin)};\nexport const base = ${JSON.stringify(base)};\nexport const developmentPort = ${developmentPort};\n`,
  );
  // Metro itself declares process.env in front of this.
  write(files.environmentFile, `Object.assign(process.env, ${toPublicJson(process.env)});\n`);
  const options = JSON.stringify({ babelTransformer, routesFolder });
  const transformer = JSON.stringify(fileBeside('transformer'));
  write(files.transformerFile, `module.exports = require(${transformer}).createTransformer(${options});\n`);
  return files;
}

function readApp(projectRoot: string): NativeApp {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileBeside('read-app'), projectRoot], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`withAppkit cannot read the app config.\n${stderr}`);
  // A config file may print, too.
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as NativeApp; // written by read-app.ts
}

/** A module of this folder, compiled or not. */
function fileBeside(name: string): string {
  return fileURLToPath(new URL(`./${name}${path.extname(import.meta.url)}`, import.meta.url));
}

/** Metro does not process an unchanged file again. */
function write(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (readIfThere(file) !== content) writeFileSync(file, content);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
