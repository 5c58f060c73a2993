import path from 'node:path';

import { isInside } from '../app/project-path.ts';

/**
 * Files that no client gets, whichever module imports them: secrets, and the code of the server (B18). As globs in which a name without `/`
 * is one in any folder.
 */
export const NEVER_SERVED: readonly string[] = [
  '.env',
  '.env.*',
  '.npmrc',
  '.netrc',
  '.htpasswd',
  '*.{crt,pem,key,p8,p12,pfx,jks,keystore,kdbx}',
  'id_{rsa,dsa,ecdsa,ed25519}',
  'service-account*.json',
  '**/.git/**',
  '**/.ssh/**',
  '**/.aws/**',
  '**/*+api.*',
  '**/+middleware.*',
  '**/+instrumentation.*',
  '**/app.json',
];

const NAMES = NEVER_SERVED.map((glob) => toSource(glob.includes('/') ? glob : `**/${glob}`)).join('|');

/** The same for the ids of modules, as a bundler filters them: an absolute path, and maybe a query. */
export const NEVER_SERVED_ID: RegExp = new RegExp(`^(?:${NAMES})(?:[?#]|$)`, 'i');

const PATH = new RegExp(`^(?:${NAMES})$`, 'i');

/** Answers whether a file, an absolute path, is one of {@link NEVER_SERVED}. Where the project lies says nothing of its files. */
export function isNeverServed(file: string, projectRoot: string): boolean {
  const name = isInside(projectRoot, file) ? path.relative(projectRoot, file) : file;
  return PATH.test(name.replaceAll(path.sep, '/'));
}

/** Supports globs as above: `**`, `*`, and alternatives. */
function toSource(glob: string): string {
  const parts: Record<string, string> = {
    '**/': '(?:.*/)?',
    '/**': '/.*',
    '*': '[^/]*',
    '{': '(?:',
    ',': '|',
    '}': ')',
  };
  return glob.replaceAll(/\*\*\/|\/\*\*|[^\w-]/g, (part) => parts[part] ?? `\\${part}`);
}
