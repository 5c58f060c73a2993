import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';
import { SERVER_ONLY } from '../bundle/plugins/server-only.ts';

/** Packages that no client contains. Client and server share the ranking. */
export const SERVER_PACKAGE: RegExp = /^(?:server-only|appkit-server(?!\/match$)(?:\/.*)?)$/;
/** App files that no client contains, with or without a query. */
export const SERVER_FILE: RegExp = /\+(?:api|job|middleware|instrumentation)(?:\.\w+)?\.[cm]?[jt]sx?(?:\?|$)/;

/** Whether a module is a `+api`, `+job`, `+middleware` or `+instrumentation` file of the app. */
export function isServerFile(file: string): boolean {
  return !isInstalled(file) && SERVER_FILE.test(file);
}

/**
 * Reports that a client would contain server code.
 *
 * @param chain – the names of the modules, each of which imports the next, down to the refused one.
 * @param options – `name` is what is refused: a file relative to the project, or a package. `what` describes it.
 */
export function toClientProblem(chain: readonly string[], { name, what }: { name: string; what: string }): Problem {
  return {
    file: chain.at(-2) ?? chain[0] ?? name,
    message: `${what}, and the client would get it: ${chain.join(' → ')}.`,
    fix: toFix(name),
  };
}

/** Describes a module that imports the marker of server code. */
export function toMarked(file: string, marker: string): string {
  return `${file} is marked as server code by import '${marker}'`;
}

/** Describes a server module. */
export function toServerModule(name: string): string {
  return `${name} runs on the server only`;
}

function toFix(name: string): string {
  if (SERVER_ONLY.test(name)) return 'Use it in a loader or in a route, and import only its types elsewhere.';
  if (SERVER_FILE.test(name)) {
    return 'Call the route with fetch. Import types with import type, and move what both need into a separate file.';
  }
  return name.startsWith('appkit-server')
    ? 'Use it in a loader or in a route. Pages can import from appkit-router.'
    : 'Import it without that query.';
}

/** The shortest chain of imports that leads to a module: from a page, or otherwise from an entry. */
export function findWay(
  module: string,
  { isPage, getImporters }: { isPage: (file: string) => boolean; getImporters: (id: string) => readonly string[] },
): string[] {
  const next = new Map<string, string | undefined>([[module, undefined]]);
  const toWay = (from: string): string[] => {
    const way: string[] = [];
    for (let id: string | undefined = from; id !== undefined; id = next.get(id)) way.push(id);
    return way;
  };
  let entry: string | undefined;
  // A map also visits items added during the loop.
  for (const id of next.keys()) {
    if (isPage(id)) return toWay(id);
    const importers = getImporters(id).toSorted();
    if (importers.length === 0) entry ??= id;
    for (const importer of importers) if (!next.has(importer)) next.set(importer, id);
  }
  return toWay(entry ?? module);
}
