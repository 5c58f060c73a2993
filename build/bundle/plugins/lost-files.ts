import path from 'node:path';

import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { isFile } from '../../output/is-file.ts';
import { isInstalled } from '../../packages/package-of.ts';
import { toProjectPath } from '../../app/project-path.ts';
import { toSourcePosition } from '../../app/source-position.ts';
import type { Problem } from '../../problem.ts';

const CODE = /\.[cm]?[jt]sx?$/;
const HINT = /\bimport\.meta\.glob\b|\bimport\s*\(|\bcreateRequire\b|\bnew\s+URL\b/;
/** What is relative to a module, or has a meaning only to a bundler. Other names may be of packages or of files of the machine. */
const OF_SOURCES = /^(?:\.{1,2}\/|[@~]\/|#)/;

/**
 * Reports where a module of the app names files of the app so that the bundler cannot follow: they would be missing next to the bundle. In
 * development, which runs the sources, such code works.
 *
 * @param warn – called with the text of a warning, for what need not fail.
 */
export function createLostFilesPlugin(
  projectRoot: string,
  { report, warn }: { report: (problem: Problem) => void; warn: (text: string) => void },
): Plugin {
  return {
    name: 'appkit:lost-files',
    transform: {
      filter: { id: CODE, code: HINT },
      handler(code, id) {
        if (!path.isAbsolute(id) || isInstalled(id)) return;
        for (const { start, message, fix, isCertain } of findLostFiles(id, code)) {
          const problem = { file: toProjectPath(projectRoot, id), ...toSourcePosition(code, start), message, fix };
          if (isCertain) report(problem);
          else warn(`${problem.file}:${problem.line}: ${message} ${fix}`);
        }
      },
    },
  };
}

/** A place that names a file. */
interface Lost extends Pick<Problem, 'message' | 'fix'> {
  start: number;
  /** Whether the code cannot work. */
  isCertain: boolean;
}

function findLostFiles(file: string, code: string): Lost[] {
  const found: Lost[] = [];
  const calls: ESTree.CallExpression[] = [];
  const requires = new Set<string>();
  const isHere = (node: ESTree.Node | undefined): boolean =>
    node !== undefined && HERE.test(code.slice(node.start, node.end));
  const createsRequire = (node: ESTree.Node): boolean =>
    node.type === 'CallExpression' && nameOf(node.callee) === 'createRequire' && isHere(node.arguments[0]);
  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== 'MetaProperty' || nameOf(node) !== 'glob') return;
      found.push({ start: node.start, isCertain: true, message: 'Only Vite can bundle import.meta.glob.', fix: EACH });
    },
    ImportExpression({ source, start }) {
      const beginning = toBeginning(source);
      if (source.type === 'Literal' || beginning === undefined || !OF_SOURCES.test(beginning)) return;
      const message = 'Only Vite can bundle an import() with a variable in its path.';
      found.push({ start, isCertain: true, message, fix: EACH });
    },
    NewExpression({ callee, arguments: [name, base], start }) {
      if (nameOf(callee) !== 'URL' || name?.type !== 'Literal' || !isHere(base)) return;
      const target = toBeginning(name) ?? '';
      if (!target.startsWith('.') || !isFile(path.resolve(path.dirname(file), target))) return;
      const message = `An export has no ${target} here: import.meta.url names the bundled file.`;
      found.push({ start, isCertain: false, message, fix: `Import its text by '${target}?raw'.` });
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && createsRequire(init)) requires.add(id.name);
    },
    CallExpression(node) {
      calls.push(node);
    },
  }).visit(parseSync(file, code).program);
  for (const {
    callee,
    arguments: [name],
    start,
  } of calls) {
    const isOwn = callee.type === 'Identifier' ? requires.has(callee.name) : createsRequire(callee);
    if (!isOwn || !OF_SOURCES.test((name && toBeginning(name)) ?? '')) continue;
    const message = 'The bundler does not follow a function of createRequire(), so this file would be missing.';
    found.push({
      start,
      isCertain: true,
      message,
      fix: 'Import it, or call require itself, which ES modules have here.',
    });
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** The place of the module itself. */
const HERE = /\bimport\.meta\b|\b__(?:file|dir)name\b/;
const EACH = 'Import each module by its path, such as { hi: () => import("./hi.ts") }.';

/** The known beginning of a text. */
function toBeginning(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.raw;
  return node.type === 'BinaryExpression' ? toBeginning(node.left) : undefined;
}

/** The last part of a name such as `module.createRequire`. */
function nameOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : undefined;
}
