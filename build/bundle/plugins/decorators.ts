import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { toProjectPath } from '../../app/project-path.ts';
import { toSourcePosition } from '../../app/source-position.ts';
import { isInstalled } from '../../packages/package-of.ts';
import { ExportError } from '../../problem.ts';
import type { Problem } from '../../problem.ts';

const CODE = /\.[cm]?[jt]sx?$/;
/** What every decorator looks like, as do some strings. In a block comment, it follows a star. */
const DECORATOR = /(?:^|[^\s*])\s*@[\w$(]/m;
const USING = /^\s*(?:await\s+)?using\s+[\w$]/m;

const STANDARD = {
  message: 'Node and browsers cannot run decorators, and the bundler compiles only those of TypeScript.',
  fix: 'Set "experimentalDecorators": true in the compilerOptions of tsconfig.json, and write the decorators for it.',
};
const LOST = {
  message: 'The bundler loses decorators of a module with using at its top level.',
  fix: 'Move the using into a function.',
};

/** Reports decorators that the bundler (rolldown 1.2) leaves in the output, where they are a syntax error, and those it loses. */
export function createDecoratorsPlugin(
  projectRoot: string,
  report: (problem: Problem) => void,
): Plugin & { name: string; enforce: 'pre' } {
  return {
    name: 'appkit:decorators',
    // After the app's own plugins of this kind, which may compile decorators.
    enforce: 'pre',
    transform: {
      filter: { id: CODE, code: USING },
      handler(code, id) {
        const start = findLosing(parseSync(id, code).program);
        if (start === undefined) return;
        report({ file: toProjectPath(projectRoot, id), ...toSourcePosition(code, start), ...LOST });
      },
    },
    renderChunk: {
      filter: { code: DECORATOR },
      handler(_, chunk) {
        for (const id of chunk.moduleIds) {
          if (!path.isAbsolute(id) || isInstalled(id)) continue;
          const { code } = chunk.modules[id] ?? {};
          if (code && DECORATOR.test(code) && findDecorator('module.js', code) !== undefined) {
            report(toProblem(id, projectRoot));
          }
        }
      },
    },
  };
}

/**
 * The same for development, where modules are compiled one by one: loading one with decorators fails with the problem.
 *
 * @throws ExportError
 */
export function createDecoratorsGuard(projectRoot: string): Plugin & { name: string } {
  return {
    name: 'appkit:decorators-guard',
    transform: {
      order: 'post',
      filter: { id: CODE, code: DECORATOR },
      handler(code, id) {
        if (!isInstalled(id) && findDecorator('module.js', code) !== undefined) {
          throw new ExportError([toProblem(id, projectRoot)]);
        }
      },
    },
  };
}

function toProblem(id: string, projectRoot: string): Problem {
  const [file = id] = id.split('?');
  const source = readFileSync(file, 'utf8');
  const start = findDecorator(file, source);
  return {
    file: toProjectPath(projectRoot, file),
    ...(start === undefined ? {} : toSourcePosition(source, start)),
    message: STANDARD.message,
    fix: /\.[cm]?jsx?$/.test(file) ? `${STANDARD.fix} Only TypeScript files follow it.` : STANDARD.fix,
  };
}

/** Where the first decorator is. */
function findDecorator(file: string, code: string): number | undefined {
  return findIn(parseSync(file, code).program);
}

function findIn(program: ESTree.Program): number | undefined {
  let first: number | undefined;
  new Visitor({
    Decorator({ start }) {
      first = Math.min(first ?? start, start);
    },
  }).visit(program);
  return first;
}

/** Where the `using` is that makes the bundler lose the decorators of classes next to it. */
function findLosing(program: ESTree.Program): number | undefined {
  const using = program.body.find(
    (node) => node.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using'),
  );
  const classes = program.body.filter((node) => isClass('declaration' in node ? node.declaration : node));
  // A program, which is what can be visited.
  return findIn({ ...program, body: classes }) === undefined ? undefined : using?.start;
}

function isClass(node: { type: string } | null): boolean {
  return node?.type === 'ClassDeclaration';
}
