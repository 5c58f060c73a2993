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
/** What every decorator and accessor field looks like, as do some strings. In a block comment, the @ follows a star. */
const DECORATOR = /(?:^|[^\s*])\s*@[\w$(]|\baccessor[\s#['"]/m;
const USING = /^\s*(?:await\s+)?using\s+[\w$]/m;

const STANDARD = {
  message: 'Node and browsers cannot run decorators, and the bundler compiles only those of TypeScript.',
  fix: 'Set "experimentalDecorators": true in the compilerOptions of tsconfig.json, and write the decorators for it.',
};
/** The bundler compiles accessor fields, which belong to the proposal for decorators, by the same option. */
const ACCESSOR = {
  message: 'Node and browsers cannot run fields with accessor, and the bundler does not compile them by default.',
  fix: 'Write a getter and a setter, or set "experimentalDecorators": true in the compilerOptions of tsconfig.json.',
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
          const left = code && DECORATOR.test(code) ? findDecorator('module.js', code) : undefined;
          if (left) report(toProblem(id, projectRoot, left));
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
        const left = isInstalled(id) ? undefined : findDecorator('module.js', code);
        if (left) throw new ExportError([toProblem(id, projectRoot, left)]);
      },
    },
  };
}

function toProblem(id: string, projectRoot: string, left: Found): Problem {
  const [file = id] = id.split('?');
  const source = readFileSync(file, 'utf8');
  const { start, isAccessor } = findDecorator(file, source) ?? { ...left, start: undefined };
  return {
    file: toProjectPath(projectRoot, file),
    ...(start === undefined ? {} : toSourcePosition(source, start)),
    ...toAdvice(file, isAccessor ? ACCESSOR : STANDARD),
  };
}

function toAdvice(file: string, { message, fix }: typeof STANDARD): typeof STANDARD {
  return { message, fix: /\.[cm]?jsx?$/.test(file) ? `${fix} Only TypeScript files follow it.` : fix };
}

interface Found {
  start: number;
  isAccessor: boolean;
}

/** The first decorator, or the first accessor field if there is none. */
function findDecorator(file: string, code: string): Found | undefined {
  return findIn(parseSync(file, code).program);
}

function findIn(program: ESTree.Program): Found | undefined {
  const decorators: number[] = [];
  const accessors: number[] = [];
  new Visitor({
    Decorator: ({ start }) => void decorators.push(start),
    AccessorProperty: ({ start }) => void accessors.push(start),
  }).visit(program);
  const isAccessor = decorators.length === 0;
  const starts = isAccessor ? accessors : decorators;
  return starts.length === 0 ? undefined : { start: Math.min(...starts), isAccessor };
}

/** Where the `using` is that makes the bundler lose the decorators of classes next to it. */
function findLosing(program: ESTree.Program): number | undefined {
  const using = program.body.find(
    (node) => node.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using'),
  );
  const classes = program.body.filter((node) => isClass('declaration' in node ? node.declaration : node));
  // A program, which is what can be visited.
  return findIn({ ...program, body: classes })?.isAccessor === false ? using?.start : undefined;
}

function isClass(node: { type: string } | null): boolean {
  return node?.type === 'ClassDeclaration';
}
