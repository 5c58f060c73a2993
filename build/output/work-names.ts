import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** How the name of a work folder of this process starts. Six characters follow, which differ each time. */
export function startOfWorkName(outputDir: string): string {
  return `.${path.basename(outputDir)}-${process.pid}-`;
}

/** The process in the name of a work folder. Undefined for any other name. */
export function ownerInName(name: string, outputDir: string): number | undefined {
  const start = `.${path.basename(outputDir)}-`;
  const pid = name.startsWith(start) ? /^(\d+)-\w{6}$/.exec(name.slice(start.length))?.[1] : undefined;
  return pid === undefined ? undefined : Number(pid);
}

/** The name of the file that names who is moving files into an output folder. */
export function toLockName(outputDir: string): string {
  return `.${path.basename(outputDir)}.lock`;
}

/** Whether a name in an output folder is one of those that exports work with, and not part of an export. */
export function isOfWork(name: string, outputDir: string): boolean {
  return name === toLockName(outputDir) || ownerInName(name, outputDir) !== undefined;
}

/** The folder in which exports work: next to the output folder, or the output folder itself if nothing may be written there. */
export function toWorkPlace(outputDir: string): string {
  const parent = path.dirname(outputDir);
  return isWritable(parent) || !existsSync(outputDir) ? parent : outputDir;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
