import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Method } from 'appkit-server/manifest';

/** Where the types go, relative to the project. */
export const TYPES_FILE = '.appkit/types/routes.d.ts';

/** The inputs for an app's types. */
export interface TypedRoutes {
  /** The real path of the project. */
  projectRoot: string;
  /** The API routes. */
  routes: readonly { pattern: string; file: string; methods: readonly Method[] }[];
  /** The patterns of its pages. Default: none. */
  pagePatterns?: readonly string[];
}

/**
 * Writes `.appkit/types/routes.d.ts`: the parameters of each route, what each handler returns, and its contract.
 *
 * The file is replaced as a whole, and only when something in it changes, so that editors do not read it again
 * needlessly.
 *
 * @returns whether it was written.
 */
export async function writeTypedRoutes(app: TypedRoutes): Promise<boolean> {
  const file = path.join(app.projectRoot, TYPES_FILE);
  const text = toTypes(app, { withRouter: hasPackage(app.projectRoot, 'appkit-router') });
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return true;
}

function toTypes({ routes, pagePatterns = [] }: TypedRoutes, { withRouter }: { withRouter: boolean }): string {
  const byPattern = new Map<string, [method: Method, handler: string, ignored: string][]>(
    pagePatterns.map((pattern) => [pattern, []]),
  );
  for (const { pattern, file, methods } of routes) {
    const module = toImport(file);
    // Without allowJs, TypeScript refuses to import it.
    const ignored = /\.[cm]?jsx?$/.test(file) ? '// @ts-ignore\n      ' : '';
    byPattern.set(
      pattern,
      methods.map((method) => [method, `typeof import(${module}).${method}`, ignored]),
    );
  }
  const entries = [...byPattern]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([pattern, handlers]) => {
      const list = (type: string): string => {
        const lines = handlers.map(([method, handler, ignored]) => `      ${ignored}${method}: ${type}<${handler}>;\n`);
        return lines.length > 0 ? `{\n${lines.join('')}    }` : '{}';
      };
      const lines = [`params: ${toParams(pattern)}`, `methods: ${list('Answer')}`, `contracts: ${list('Contract')}`];
      return `  ${JSON.stringify(pattern)}: {\n${lines.map((line) => `    ${line};\n`).join('')}  };\n`;
    });
  // An augmentation of a missing module would be an error.
  const router = withRouter ? REGISTER_ROUTER : '';
  return `${HEAD}\ninterface AppRoutes {\n${entries.join('')}}\n${SERVER}${router}`;
}

const HEAD = `// Written by appkit start and appkit export. Changes are lost.

/** What a handler answers, once it is awaited. */
type Answer<Handler> = Handler extends (...args: never[]) => infer Returned ? Awaited<Returned> : never;

/** What a caller sends and gets, if the handler is made by contract(). */
type Contract<Handler> = Handler extends { readonly '~contract': { readonly types?: infer Types } }
  ? Exclude<Types, undefined>
  : undefined;

export {};

/** The routes of this app by pattern. */`;

const SERVER = `
declare module 'appkit-server' {
  /** The routes of this app by pattern: their parameters, what the handler of each method answers, and its contract. */
  interface Register {
    routes: AppRoutes;
  }

  /** The parameters of a route of this app: \`RouteParams<'/items/[id]'>\` is \`{ id: string }\`. */
  type RouteParams<Pattern extends keyof AppRoutes> = AppRoutes[Pattern]['params'];
}
`;

const REGISTER_ROUTER = `
declare module 'appkit-router' {
  interface Register {
    routes: AppRoutes;
  }
}
`;

function toParams(pattern: string): string {
  const names = pattern.split('/').flatMap((segment) => /^\[(?:\.\.\.)?(.+)\]$/.exec(segment)?.[1] ?? []);
  if (names.length === 0) return 'Record<never, string>';
  return `{ ${names.map((name) => `${JSON.stringify(name)}: string`).join('; ')} }`;
}

/** TypeScript resolves `.js` to `.ts` and `.tsx`, whether or not its options require an extension. */
function toImport(file: string): string {
  const upwards = '../'.repeat(TYPES_FILE.split('/').length - 1);
  return JSON.stringify(upwards + file.replace(/\.(?:tsx?|jsx)$/, '.js').replace(/\.([cm])ts$/, '.$1js'));
}

/** Looks where Node and TypeScript do: in the node_modules of the project and of its parent folders. */
function hasPackage(projectRoot: string, name: string): boolean {
  if (existsSync(path.join(projectRoot, 'node_modules', name, 'package.json'))) return true;
  const parent = path.dirname(projectRoot);
  return parent !== projectRoot && hasPackage(parent, name);
}
