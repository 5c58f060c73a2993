import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

import { isPublicVariable } from './client-env.ts';

/** A server-only variable. */
export interface VariableValue {
  name: string;
  value: string;
  /** Whether it is in an environment file. */
  isFromFile: boolean;
}

/** Shorter values occur everywhere. */
const MIN_LENGTH = 8;
/** Environment files, of Cloudflare and direnv too, except those that only show which variables exist. */
const ENV_FILE = /^\.(?:env(?:rc)?|dev\.vars)(?:\.(?!example$|sample$|template$|defaults$).+)?$/;

/**
 * Lists the values that no client may have: those of the environment, and those in a project's environment files. An
 * export does not read these files, but app code may.
 */
export function listValues(
  projectRoot: string,
  environment: Readonly<Record<string, string | undefined>>,
): VariableValue[] {
  const files = readdirSync(projectRoot).filter((name) => ENV_FILE.test(name));
  const inFiles = files.flatMap((name) => toValues(readVariables(path.join(projectRoot, name)), { isFromFile: true }));
  return [...inFiles, ...toValues(environment, { isFromFile: false })];
}

function toValues(
  variables: Readonly<Record<string, string | undefined>>,
  { isFromFile }: { isFromFile: boolean },
): VariableValue[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value.length < MIN_LENGTH || isPublicVariable(name) ? [] : [{ name, value, isFromFile }],
  );
}

function readVariables(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    // A folder, or a file that this process may not read: then the app code, which runs in it, cannot read it either.
    return {};
  }
}
