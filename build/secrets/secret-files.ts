import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';
import type { Plugin } from 'vite';

import { isNeverServed, NEVER_SERVED_ID } from './never-served.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import { findInCode, findInStyle } from '../cache/hidden-inputs.ts';
import { inClient } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';
import { findWay } from './server-code.ts';

const STYLE = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)$/;
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** A request for the text of a file or for a copy of it, which may have another name through a link. */
const AS_FILE = /\?(?:.*&)?(?:raw|url|inline|no-inline)(?:&|=|$)/;

const FIX = 'Read it in a loader or a route. Put public files into public/.';

/** A place that names a file without importing it. */
interface Named {
  importer: string;
  file: string;
  position: Pick<Problem, 'line' | 'column'>;
}

/**
 * Refuses a client that would contain a file which is never served: through an import with any query,
 * `new URL(…, import.meta.url)`, or a style sheet. A development server refuses requests for the same files.
 */
export function createSecretFilesPlugin({ projectRoot, isPage, report }: ClientCheck): Plugin {
  const imported = new Set<string>();
  const named: Named[] = [];
  const isSecret = (file: string): boolean =>
    [file, existsSync(file) ? realpathSync(file) : file].some((one) => isNeverServed(one, projectRoot));
  return {
    name: 'appkit:secret-files',
    ...inClient,
    apply: 'build',
    buildStart() {
      imported.clear();
      named.length = 0;
    },
    load: {
      order: 'pre',
      filter: { id: [NEVER_SERVED_ID, AS_FILE] },
      handler(id) {
        const file = toFile(id);
        if (!path.isAbsolute(file) || !isSecret(file)) return null;
        imported.add(id);
        // CommonJS, so that an import of it never lacks an export.
        return { code: 'module.exports = {};', moduleType: 'js' };
      },
    },
    transform: {
      // Before Vite inserts URLs into it.
      order: 'pre',
      filter: { code: /\burl\b|image-set|@import|\bURL\b/ },
      handler(code, id) {
        const importer = toFile(id);
        if (!path.isAbsolute(importer)) return;
        for (const { name, offset } of findNames(importer, code)) {
          const file = path.resolve(
            name.startsWith('/') ? projectRoot : path.dirname(importer),
            toFile(name).replace(/^\//, ''),
          );
          if (isSecret(file)) named.push({ importer: id, file, position: toSourcePosition(code, offset) });
        }
      },
    },
    buildEnd(error) {
      if (error) return;
      const getImporters = (id: string): string[] => {
        const info = this.getModuleInfo(id);
        return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
      };
      const toChain = (importer: string, secret: string): string[] =>
        [...findWay(importer, { isPage, getImporters }), secret].map((id) =>
          path.isAbsolute(id) ? toProjectPath(projectRoot, id) : id.replaceAll('\0', ''),
        );
      for (const id of [...imported].toSorted()) {
        for (const importer of getImporters(id)) report(toProblem(toChain(importer, id)));
      }
      for (const { importer, file, position } of named) report(toProblem(toChain(importer, file), position));
    },
  };
}

/** Finds such files among those whose URLs the code contains: these are copied and public. */
export function findSecretAssets(assets: readonly Asset[], projectRoot: string): Problem[] {
  return assets
    .filter(({ source }) => isNeverServed(source, projectRoot))
    .map(({ source }) => ({
      file: toProjectPath(projectRoot, source),
      message: 'It is imported by its URL, so it would be copied to dist/client, and it may be secret.',
      fix: 'Import its text with ?raw, in server code. Put public files into public/.',
    }));
}

function toProblem(chain: readonly string[], position: Named['position'] = {}): Problem {
  const message = `${toFile(chain.at(-1) ?? '')} may be secret, and the client would get it: ${chain.join(' → ')}.`;
  return { file: toFile(chain.at(-2) ?? ''), ...position, message, fix: FIX };
}

function toFile(id: string): string {
  return id.replace(/[?#].*$/s, '');
}

/** The files that a module names, except those in comments. */
function findNames(file: string, code: string): { name: string; offset: number }[] {
  if (STYLE.test(file))
    return findInStyle(code.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/./g, ' ')));
  const found = CODE.test(file) ? findInCode(code) : [];
  if (found.length === 0) return [];
  const { comments } = parseSync(file, code);
  return found.filter(({ offset }) => !comments.some(({ start, end }) => start <= offset && offset < end));
}
