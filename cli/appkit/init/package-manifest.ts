import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../command-error.ts';

/** A `package.json`, of which nothing is known but that it is an object. */
export type Manifest = Record<string, unknown>;

const PACKAGES = ['dependencies', 'devDependencies'];

/** What becomes of a `package.json` into which that of a template goes. */
export interface MergedManifest {
  /** The text, written as npm writes it: in the order, with the indentation and the line ends that it has. */
  text: string;
  /** What is set that was not there: `files`, or a member such as `scripts.deploy`. */
  added: string[];
  /** What is set that was there, with another value. */
  replaced: string[];
}

/**
 * Reads a `package.json`, such as anybody may have written.
 *
 * @throws CommandError when it is not an object of JSON.
 */
export function parseManifest(text: string): Manifest {
  const manifest = parseJson(text);
  if (isObject(manifest)) return manifest;
  throw new CommandError('package.json: this is not a JSON object. Nothing was written.', 'Correct it first.');
}

/**
 * Takes from a template's `package.json` what that of an app says itself: a script, a package of whichever version and kind.
 *
 * @throws CommandError when that of the app is not an object of JSON.
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
 * Sets what a template's `package.json` says in that of an app. Of objects, such as `scripts`, each member is set by itself.
 *
 * @throws CommandError when it is not an object of JSON, or has something else where the template has an object.
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
  return new CommandError(`package.json: "${name}" is no object. Nothing was written.`, 'Correct it first.');
}

function parseJson(text: string): unknown {
  try {
    // npm reads past a byte order mark too.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
