import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { DevEnvironment, Plugin } from 'vite';

import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { inClient } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';
import { toClientDefine } from './client-env.ts';
import {
  findWay,
  isServerFile,
  SERVER_FILE,
  SERVER_PACKAGE,
  toClientProblem,
  toMarked,
  toServerModule,
} from './server-code.ts';
import { SERVER_ONLY } from '../bundle/plugins/server-only.ts';

/** Replaces a package that the client must not have, or the marker. */
const REFUSED = '\0appkit-refused:';
/** A request for the text of a file, or for a copy of it. */
const AS_TEXT = /\?(?:.*&)?(?:raw|url|inline)(?:&|=|$)/;

/** An import of the marker, as it is written. */
const MARK = /^\s*import\s*['"](?:appkit-server\/)?server-only['"]/m;

const SOURCE = /\.[cm]?[jt]sx?$/;

const PUBLIC_PREFIX = 'APPKIT_PUBLIC_';

/** Who imports each module. */
type GetImporters = (id: string) => readonly string[];

/**
 * Refuses a client that would contain server code: a `+api` or `+middleware` file, `appkit-server`, or a module that
 * imports `server-only`. It also provides client code with its environment variables. In a build, each import that
 * leads there is a problem, with the chain from the page down, and an empty module replaces the target. A development
 * server answers for the module with that error.
 */
export function createClientGuardPlugin({
  projectRoot,
  isPage,
  environment,
  report,
}: ClientCheck & {
  /** The environment variables that the public ones are taken from. */
  environment: Readonly<Record<string, string | undefined>>;
}): Plugin {
  const refused = new Set<string>();
  const isRefused = (id: string): boolean =>
    id.startsWith(REFUSED) || isServerFile(id) || (AS_TEXT.test(id) && isSource(id.replace(/\?.*/, '')));
  const isSource = (file: string): boolean => isPage(file) || isMarked(file);
  const options = { projectRoot, isPage };
  return {
    name: 'appkit:client-guard',
    ...inClient,
    config: () => ({
      // Otherwise `import.meta.env` would contain every variable whose name starts with VITE_.
      envPrefix: PUBLIC_PREFIX,
      environments: { client: { define: toClientDefine(environment) } },
      // `import { type X }` is removed entirely, whatever tsconfig.json says: otherwise it would still load the module.
      oxc: { typescript: { onlyRemoveTypeImports: false } },
    }),
    buildStart: () => refused.clear(),
    configResolved({ envPrefix }) {
      const others = [envPrefix ?? []].flat().filter((prefix) => prefix !== PUBLIC_PREFIX);
      if (others.length === 0) return;
      const message = `The option envPrefix names ${others.join(' and ')}, whose variables every client would have in import.meta.env.`;
      throw new ExportError([
        { file: 'vite.config', message, fix: `Leave it out, and name public variables ${PUBLIC_PREFIX}….` },
      ]);
    },
    resolveId: {
      // Also before the app's plugins and aliases.
      order: 'pre',
      filter: { id: SERVER_PACKAGE },
      handler: (id) => ({ id: REFUSED + id, moduleSideEffects: true }),
    },
    load: {
      order: 'pre',
      filter: { id: [new RegExp(`^${REFUSED}`), SERVER_FILE, AS_TEXT] },
      handler(id) {
        if (!isRefused(id)) return null;
        if (this.environment.mode === 'dev') {
          const getImporters = toGetImporters(this.environment);
          const problems = findProblems(id, { ...options, getImporters });
          // When its URL is requested directly, it has no importer. An empty response would be cached for those that do
          // import it.
          throw new ExportError(problems.length > 0 ? problems : [toProblem([id], toReason(id, projectRoot))]);
        }
        refused.add(id);
        // CommonJS, so that an import of it never lacks an export.
        return { code: 'module.exports = {};', moduleType: 'js' };
      },
    },
    transform: {
      // After Vite has found out what the module imports.
      order: 'post',
      filter: { code: 'server-only' },
      handler(_, id) {
        // A build refuses the marker. In development the module would be served, with an import that fails.
        if (this.environment.mode !== 'dev') return;
        const getImporters = toGetImporters(this.environment);
        for (const marker of ['server-only', 'appkit-server/server-only'].map((name) => REFUSED + name)) {
          if (!getImporters(marker).includes(id)) continue;
          const ofThis: GetImporters = (wanted) => (wanted === marker ? [id] : getImporters(wanted));
          throw new ExportError(findProblems(marker, { ...options, getImporters: ofThis }));
        }
      },
    },
    buildEnd(error) {
      if (error) return;
      const getImporters: GetImporters = (id) => {
        const info = this.getModuleInfo(id);
        return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
      };
      for (const id of [...refused].toSorted())
        for (const problem of findProblems(id, { ...options, getImporters })) report(problem);
    },
  };
}

function isMarked(file: string): boolean {
  return SOURCE.test(file) && existsSync(file) && MARK.test(readFileSync(file, 'utf8'));
}

function toGetImporters({ moduleGraph }: DevEnvironment): GetImporters {
  return (id) => [...(moduleGraph.getModuleById(id)?.importers ?? [])].flatMap(({ id }) => id ?? []);
}

function findProblems(
  refused: string,
  {
    projectRoot,
    isPage,
    getImporters,
  }: { projectRoot: string; isPage: (file: string) => boolean; getImporters: GetImporters },
): Problem[] {
  const reason = toReason(refused, projectRoot);
  const { name } = reason;
  const importers = getImporters(refused);
  if (!SERVER_ONLY.test(name)) {
    return importers.map((importer) => toProblem([...findWay(importer, { isPage, getImporters }), refused], reason));
  }
  // The marker concerns the importers of the marked module.
  return importers.flatMap((marked) => {
    const file = toProjectPath(projectRoot, marked);
    const users = isPage(marked) ? [] : getImporters(marked).filter((user) => !importers.includes(user));
    const message = toMarked(file, name);
    if (users.length === 0)
      return [toProblem(findWay(marked, { isPage, getImporters }), { name, message, projectRoot })];
    return users.map((user) => {
      const chain = [...findWay(user, { isPage, getImporters }), marked];
      return toProblem(chain, { name, message, projectRoot });
    });
  });
}

interface Reason {
  name: string;
  message: string;
  projectRoot: string;
}

function toReason(refused: string, projectRoot: string): Reason {
  const name = refused.startsWith(REFUSED) ? refused.slice(REFUSED.length) : toProjectPath(projectRoot, refused);
  const isServer = refused.startsWith(REFUSED) || SERVER_FILE.test(refused);
  const message = isServer ? toServerModule(name) : `${name} is the source, including its server exports`;
  return { name, message, projectRoot };
}

function toProblem(chain: readonly string[], { name, message, projectRoot }: Reason): Problem {
  const names = chain.map((id) => {
    if (id.startsWith(REFUSED)) return id.slice(REFUSED.length);
    return path.isAbsolute(id) ? toProjectPath(projectRoot, id) : id.replace('\0', '');
  });
  return toClientProblem(names, { name, what: message });
}
