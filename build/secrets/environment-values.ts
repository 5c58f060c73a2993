import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

import { isPublicVariable } from './client-env.ts';

/** A variable that is for the server alone. */
export interface VariableValue {
  name: string;
  value: string;
  /** It is in a file of variables. */
  isFromFile: boolean;
}

/** Shorter values are everywhere. */
const MIN_LENGTH = 8;
/** Files of variables, but for those that show which there can be. */
const ENV_FILE = /^\.env(?:\.(?!example$|sample$|template$|defaults$).+)?$/;

/**
 * Lists the values that no client may have: those of the environment, and those in the files of variables of a project, which an
 * export does not read but code of the app may.
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
    // A folder, or nothing that this process may read: the code of the app, which runs in it, cannot either.
    return {};
  }
}
