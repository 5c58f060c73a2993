import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readExports } from './declarations.ts';
import type { Declaration } from './declarations.ts';
import { toMarkdown } from './doc-comment.ts';
import { highlight } from './highlight.ts';
import { renderMarkdown } from './markdown.ts';

/** The packages that are described, in the order in which users meet them. */
export const PACKAGES = [
  'appkit-server',
  'appkit-router',
  'appkit-auth-session',
  'appkit-web-browser',
  'appkit-crypto',
  'appkit-build',
  'appkit-uri-scheme',
] as const;

/** The API of a package. */
export interface PackageApi {
  name: string;
  description: string;
  entries: Entry[];
}

/** One of the modules that can be imported from a package. */
export interface Entry {
  id: string;
  /** The specifier in the import, such as `appkit-server/adapter/node`. */
  specifier: string;
  /** The condition under which this module is imported, such as `node`, if a package has several. */
  condition?: string | undefined;
  exports: Export[];
  /** Exports that a previous entry describes. */
  described: { name: string; id: string }[];
}

/** Something that can be imported. */
export interface Export {
  id: string;
  name: string;
  kind: Declaration['kind'];
  html: string;
}

interface PackageManifest {
  description: string;
  exports: Record<string, unknown>;
}

// Resolved from the app, where the packages are installed: this module is part of a bundle.
const require = createRequire(path.resolve('package.json'));

/** Reads the description of a package from its installed files. */
export function readPackage(name: string): PackageApi {
  const folder = path.dirname(require.resolve(`${name}/package.json`));
  const { description, exports } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as PackageManifest; // npm has installed it
  const ids = new Map<string, string>();
  const modules = Object.entries(exports).flatMap(([subpath, target]) => listModules(subpath, { target, folder }));
  const entries = modules.map(({ subpath, condition, file }, index): Entry => {
    const specifier = path.posix.join(name, subpath);
    // If there are several modules, the first is the one for all runtimes.
    const label = modules.filter((one) => one.subpath === subpath).length > 1 ? condition : undefined;
    const id = index === 0 ? 'main' : [subpath.slice(2), label].filter(Boolean).join('-').replaceAll('/', '-');
    const groups = Map.groupBy(readExports(path.join(folder, file)), ({ name }) => name);
    const described: Entry['described'] = [];
    const own = [...groups.values()].flatMap((declarations) => {
      const { origin, name } = declarations[0] as Declaration; // a group has one at least
      const known = ids.get(origin);
      if (known !== undefined) described.push({ name, id: known });
      if (known !== undefined) return [];
      const item = toExport(declarations, { entry: id });
      ids.set(origin, item.id);
      return [item];
    });
    return { id, specifier, condition: label, exports: own, described };
  });
  return { name, description, entries };
}

interface Module {
  subpath: string;
  condition: string;
  /** The declaration file, relative to the package. */
  file: string;
}

/** The modules behind one key of `exports`. */
function listModules(subpath: string, { target, folder }: { target: unknown; folder: string }): Module[] {
  const modules = listTypes(target).map(({ condition, file }) => ({ subpath, condition, file }));
  const distinct = modules.filter((one, index) => modules.findIndex(({ file }) => file === one.file) === index);
  return distinct.flatMap((one) => (subpath.includes('*') ? expand(one, folder) : [one]));
}

function listTypes(target: unknown, condition = ''): { condition: string; file: string }[] {
  if (typeof target !== 'object' || target === null) return [];
  return Object.entries(target).flatMap(([name, value]: [string, unknown]) =>
    name === 'types' && typeof value === 'string' ? [{ condition, file: value }] : listTypes(value, name),
  );
}

/** A folder for each name that `*` can match, except private ones. */
function expand({ subpath, condition, file }: Module, folder: string): Module[] {
  const [parent = ''] = file.split('*');
  const names = readdirSync(path.join(folder, parent)).filter((name) => !name.startsWith('_'));
  return names.toSorted().map((name) => ({
    subpath: subpath.replace('*', name),
    condition,
    file: file.replace('*', name),
  }));
}

function toExport(declarations: readonly Declaration[], { entry }: { entry: string }): Export {
  const { name, kind } = declarations[0] as Declaration; // a group has one at least
  const code = declarations.map((declaration) => declaration.code).join('\n');
  const comments = declarations.map(({ comment }) => toMarkdown(comment)).filter((text) => text !== '');
  const members = declarations.flatMap((declaration) => declaration.members);
  const listed = members.map((member) => `<dt><code>${member.name}</code></dt><dd>${toHtml(member.comment)}</dd>`);
  const html = [
    highlight(code, 'typescript'),
    renderMarkdown(comments.join('\n\n'), 'docs/api.md').html,
    listed.length === 0 ? '' : `<dl>${listed.join('')}</dl>`,
  ];
  return { id: `${entry}.${name}`, name, kind, html: html.join('\n') };
}

function toHtml(comment: string): string {
  return renderMarkdown(toMarkdown(comment), 'docs/api.md').html;
}
