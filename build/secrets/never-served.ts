import path from 'node:path';

import { isInside } from '../app/project-path.ts';

/**
 * Files that no client gets, whichever module imports them: secrets and server code (B18). They are globs in which a
 * name without `/` matches in any folder.
 */
export const NEVER_SERVED: readonly string[] = [
  // `.env`, `.dev.vars`, `.npmrc`, `.pgpass`, …: most of what tools keep for themselves has such a name, and no client needs it.
  '.*',
  '*.{crt,pem,key,p8,p12,pfx,jks,keystore,kdbx}',
  'id_{rsa,dsa,ecdsa,ed25519}',
  'service-account*.json',
  '*.{tfstate,tfvars}',
  // Not every folder with such a name: generators write modules for pages into some.
  '**/.{git,ssh,gnupg,aws,azure,kube,docker,terraform,wrangler,netlify,vercel}/**',
  '**/*+api.*',
  '**/+middleware.*',
  '**/+instrumentation.*',
  '**/app.json',
];

const NAMES = NEVER_SERVED.map((glob) => toSource(glob.includes('/') ? glob : `**/${glob}`)).join('|');

/** The same for module ids, as a bundler filters them: an absolute path, possibly with a query. */
export const NEVER_SERVED_ID: RegExp = new RegExp(`^(?:${NAMES})(?:[?#]|$)`, 'i');

const PATH = new RegExp(`^(?:${NAMES})$`, 'i');

/** Whether an absolute path is one of {@link NEVER_SERVED}. The location of the project itself does not matter. */
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
