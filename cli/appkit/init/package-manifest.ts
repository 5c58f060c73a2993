import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../command-error.ts';

/** A `package.json`, only known to be an object. */
export type Manifest = Record<string, unknown>;

const PACKAGES = ['dependencies', 'devDependencies'];

/** The result of merging a template's `package.json` into an existing one. */
export interface MergedManifest {
  /** The text, written as npm does: with the existing order, indentation and line ends. */
  text: string;
  /** The names of new values: `files`, or a member such as `scripts.deploy`. */
  added: string[];
  /** The names of values that were different before. */
  replaced: string[];
}

/**
 * Parses a `package.json`, which may contain anything.
 *
 * @throws CommandError when it is not a JSON object.
 */
export function parseManifest(text: string): Manifest {
  const manifest = parseJson(text);
  if (isObject(manifest)) return manifest;
  throw new CommandError('package.json: this is not a JSON object. Nothing was written.', 'Correct it first.');
}

/**
 * Removes from a template's `package.json` what the app's own already has: a script, or a package of any version and
 * kind.
 *
 * @throws CommandError when the app's is not a JSON object.
 */
export function removePresent(wanted: string, existing: string): string {
  const manifest = parseManifest(existing);
  const isPresent = (names: readonly string[], member: string): boolean =>
    names.some((name) => isObject(manifest[name]) && Object.hasOwn(manifest[name], member));
  const left = Object.entries(parseManifest(wanted)).flatMap(([name, value]) => {
    if (!isObject(value)) return Object.hasOwn(manifest, name) ? [] : [[name, value]];
    const names = PACKAGES.includes(name) ? PACKAGES : [name];
    const members = Object.entries(value).filter(([member]) => !isPresent(names, member));
    return members.length === 0 ? [] : [[name, Object.fromEntries(members)]];
  });
  return JSON.stringify(Object.fromEntries(left));
}

/**
 * Sets the values of a template's `package.json` in an app's. The members of objects, such as `scripts`, are set one
 * by one.
 *
 * @throws CommandError when it is not a JSON object, or has something else where the template has an object.
 */
export function mergeManifest(existing: string, wanted: string): MergedManifest {
  const manifest = parseManifest(existing);
  const [added, replaced]: [string[], string[]] = [[], []];
  const set = (target: Manifest, name: string, value: unknown, label: string): void => {
    if (isDeepStrictEqual(target[name], value)) return;
    (Object.hasOwn(target, name) ? replaced : added).push(label);
    target[name] = value;
  };
  for (const [name, value] of Object.entries(parseManifest(wanted))) {
    if (!isObject(value)) set(manifest, name, value, name);
    else {
      const target = (manifest[name] ??= {});
      if (!isObject(target)) throw notAnObject(name);
      for (const [member, wantedMember] of Object.entries(value))
        set(target, member, wantedMember, `${name}.${member}`);
    }
  }
  const [, newline = '\n', indent = '  '] = /^\uFEFF?\{(\r?\n)([ \t]+)/.exec(existing) ?? [];
  return { text: `${JSON.stringify(manifest, undefined, indent)}\n`.replaceAll('\n', newline), added, replaced };
}

function notAnObject(name: string): CommandError {
  return new CommandError(`package.json: "${name}" is not an object. Nothing was written.`, 'Correct it first.');
}

function parseJson(text: string): unknown {
  try {
    // npm ignores a byte order mark too.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
