import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SchemeFileKind } from './scheme-file.ts';
import { UriSchemeError } from './uri-scheme-error.ts';
import type { SchemeWarning } from './warning.ts';

/** Selects files of a project. */
export interface ProjectOptions {
  /** The folder of the app. Default: the current one. */
  projectRoot?: string;
  /** The platforms whose native files are selected. Default: both, and the app config. */
  platforms?: readonly Platform[];
  /** The `Info.plist`, relative to the project. Default: the one of the app's own target. */
  infoPath?: string;
  /** The `AndroidManifest.xml`, relative to the project. Default: the one in `app/src/main`. */
  manifestPath?: string;
}

/** A platform with native files. */
export type Platform = 'ios' | 'android';

/** The files of a project that contain schemes. */
export interface Project {
  root: string;
  /** By path, relative to the project. */
  files: { kind: SchemeFileKind; file: string }[];
  /** A config that is code. */
  dynamicConfig: string | undefined;
  warnings: SchemeWarning[];
}

const DYNAMIC = /^app\.config\.[cm]?[jt]s$/;
const NOT_OF_THE_APP = ['Pods', 'Carthage', 'build', 'vendor', 'node_modules'];
const NATIVE = {
  ios: { name: 'iOS', file: 'Info.plist', option: '--info-path' },
  android: { name: 'Android', file: 'app/src/main/AndroidManifest.xml', option: '--manifest-path' },
};
const MANIFESTS = ['android/app/src/main/AndroidManifest.xml', 'app/src/main/AndroidManifest.xml'];

/**
 * Finds the files of a project that contain schemes.
 *
 * @throws UriSchemeError when there are none, or one that was asked for is missing.
 */
export function findProject(options: ProjectOptions): Project {
  const { projectRoot = '.', platforms = [], infoPath, manifestPath } = options;
  const root = path.resolve(projectRoot);
  if (!isFolder(root)) {
    const fix = 'Name the folder of the app, or leave it out when you are in it.';
    throw new UriSchemeError('ERR_PROJECT_NOT_FOUND', `${projectRoot}: there is no such folder.`, { fix });
  }
  const isMeant = (platform: Platform): boolean => platforms.length === 0 || platforms.includes(platform);
  if (infoPath !== undefined && !isMeant('ios')) throw notMeant('ios');
  if (manifestPath !== undefined && !isMeant('android')) throw notMeant('android');

  const warnings: SchemeWarning[] = [];
  const files: Project['files'] = [];
  const plist = isMeant('ios') ? (infoPath ?? findInfoPlist(root)) : undefined;
  const manifest = isMeant('android') ? (manifestPath ?? firstOf(root, MANIFESTS)) : undefined;
  if (plist !== undefined) files.push({ kind: 'info-plist', file: plist });
  if (manifest !== undefined) files.push({ kind: 'android-manifest', file: manifest });

  const found = { ios: plist, android: manifest };
  for (const platform of (['ios', 'android'] as const).filter((each) => isMeant(each) && found[each] === undefined)) {
    if (platforms.includes(platform)) throw notFound(root, platform);
    if (isFolder(path.join(root, platform))) {
      const { file, option } = NATIVE[platform];
      const message = `There is no ${file} in ${platform}/: name it with ${option}. Nothing there is read or changed.`;
      warnings.push({ code: 'native-file-not-found', message });
    }
  }
  const isConfigMeant = platforms.length === 0;
  const config = isConfigMeant ? firstOf(root, ['app.json']) : undefined;
  if (config !== undefined) files.push({ kind: 'app-config', file: config });
  const dynamicConfig = isConfigMeant ? namesIn(root).find((name) => DYNAMIC.test(name)) : undefined;
  if (files.length === 0 && dynamicConfig === undefined) throw nothingFound(root);
  return { root, files, dynamicConfig, warnings };
}

/** The app's own `Info.plist`, not that of an extension or of tests. */
function findInfoPlist(root: string): string | undefined {
  const base = hasXcodeProject(path.join(root, 'ios')) ? 'ios' : hasXcodeProject(root) ? '.' : undefined;
  if (base === undefined) return undefined;
  const folder = path.join(root, base);
  const entries = namesIn(folder);
  const candidates = entries
    .filter((name) => !NOT_OF_THE_APP.includes(name) && existsSync(path.join(folder, name, 'Info.plist')))
    .toSorted();
  const targets = entries.flatMap((name) => /^(.+)\.xcodeproj$/.exec(name)?.[1] ?? []);
  const ofTarget = candidates.filter((name) => targets.includes(name));
  const [chosen, ...others] =
    ofTarget.length === 1 ? ofTarget : candidates.filter((name) => isApp(path.join(folder, name, 'Info.plist')));
  if (others.length > 0) {
    const message = `${[chosen, ...others].map((name) => path.join(base, String(name), 'Info.plist')).join(', ')}: each could be the app's.`;
    throw new UriSchemeError('ERR_FILE_AMBIGUOUS', message, { fix: 'Name one with --info-path.' });
  }
  return chosen === undefined ? undefined : path.join(base, chosen, 'Info.plist');
}

/** Checks the content: extensions and tests have other package types. */
function isApp(file: string): boolean {
  try {
    const text = readFileSync(file, 'latin1');
    return /APPL|PRODUCT_BUNDLE_PACKAGE_TYPE/.test(text) && !text.includes('NSExtension');
  } catch {
    return true; // It may be; the command that edits it reports why it cannot be read.
  }
}

function hasXcodeProject(folder: string): boolean {
  return isFolder(folder) && namesIn(folder).some((name) => name.endsWith('.xcodeproj'));
}

function firstOf(root: string, files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(path.join(root, file)));
}

function isFolder(folder: string): boolean {
  return reading(folder, () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function namesIn(folder: string): string[] {
  return reading(folder, () => readdirSync(folder));
}

function reading<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = `${folder}: This folder cannot be read: ${(cause as Error).message}.`; // node:fs throws only errors
    throw new UriSchemeError('ERR_FILE_UNREADABLE', message, { fix: 'Check what it is and who may read it.', cause });
  }
}

function notMeant(platform: Platform): UriSchemeError {
  const { name, option } = NATIVE[platform];
  const message = `${option} names a file of ${name}, which was not asked for.`;
  return new UriSchemeError('ERR_OPTION_INVALID', message, { fix: 'Leave one of them out.' });
}

function notFound(root: string, platform: Platform): UriSchemeError {
  const { name, file, option } = NATIVE[platform];
  const fix = `Name it with ${option}, or generate the native project first.`;
  return new UriSchemeError('ERR_PROJECT_NOT_FOUND', `There is no ${file} of ${name} in ${root}.`, { fix });
}

function nothingFound(root: string): UriSchemeError {
  const fix = 'Run this in the folder of the app, or name the files with --info-path and --manifest-path.';
  return new UriSchemeError('ERR_PROJECT_NOT_FOUND', `There is no iOS or Android project and no app.json in ${root}.`, {
    fix,
  });
}
