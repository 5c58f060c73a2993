import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';
import type { Plugin } from 'vite';

import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { createSourcePlugin } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';

/**
 * Refuses code of pages that shows `import.meta.url`, which on the server is the place of a file there: directly, or by a constant of the
 * module. A page that an export renders is looked at when that is done. This is for those that are rendered on request.
 */
export function createShownPlacesPlugin({ projectRoot, report }: Omit<ClientCheck, 'isPage'>): Plugin {
  return createSourcePlugin('appkit:shown-places', {
    filter: { id: /\.[cm]?[jt]sx$/, code: /\bimport\.meta\b/ },
    check(code, id) {
      for (const offset of findShownPlaces(code, id)) {
        report({
          file: toProjectPath(projectRoot, id),
          ...toSourcePosition(code, offset),
          message: 'It shows import.meta.url, which on the server is the path of a file there.',
          fix: "Import the file instead, which gives the same URL everywhere: import url from './picture.png'.",
        });
      }
    },
  });
}

/** Finds where elements show `import.meta.url`, or what a constant at the top of the module makes of it. */
export function findShownPlaces(source: string, file: string): number[] {
  const { program } = parseSync(file, source);
  const constants = new Set(
    program.body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type !== 'VariableDeclaration') return [];
      const made = declaration.declarations.filter(({ init }) => init && findPlaces(init, new Set()).length > 0);
      return made.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    }),
  );
  const found = new Set<number>();
  const add = (node: ESTree.Node): void => findPlaces(node, constants).forEach((offset) => found.add(offset));
  new Visitor({
    JSXOpeningElement({ name, attributes }) {
      // What a component does with it is its own.
      if (name.type !== 'JSXIdentifier' || !/^[a-z]/.test(name.name)) return;
      for (const attribute of attributes) {
        if (attribute.type === 'JSXAttribute' && attribute.value && attribute.name.name !== 'ref') add(attribute.value);
      }
    },
    JSXElement: ({ children }) => children.filter(({ type }) => type === 'JSXExpressionContainer').forEach(add),
    JSXFragment: ({ children }) => children.filter(({ type }) => type === 'JSXExpressionContainer').forEach(add),
  }).visit(program);
  return [...found];
}

/** A call that gives something else than the place it is called with. */
function isOther({ callee }: ESTree.CallExpression | ESTree.NewExpression): boolean {
  return callee.type === 'Identifier' && !['String', 'URL'].includes(callee.name);
}

/** Finds `import.meta.url` and constants in an expression, but for what functions and elements in it do. */
function findPlaces(expression: ESTree.Node, constants: ReadonlySet<string>): number[] {
  const found: number[] = [];
  let inside = 0;
  const enter = (): void => void inside++;
  const leave = (): void => void inside--;
  new Visitor({
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    // What another function gives need not be it.
    CallExpression: (node) => void (isOther(node) && enter()),
    'CallExpression:exit': (node) => void (isOther(node) && leave()),
    NewExpression: (node) => void (isOther(node) && enter()),
    'NewExpression:exit': (node) => void (isOther(node) && leave()),
    JSXElement: enter,
    'JSXElement:exit': leave,
    JSXFragment: enter,
    'JSXFragment:exit': leave,
    MemberExpression({ object, property, start }) {
      const isUrl = property.type === 'Identifier' && property.name === 'url';
      if (inside === 0 && object.type === 'MetaProperty' && isUrl) found.push(start);
    },
    Identifier({ name, start }) {
      if (inside === 0 && constants.has(name)) found.push(start);
    },
  }).visit({ type: 'Program', body: [{ type: 'ExpressionStatement', expression }] } as never); // all that the visitor reads
  return found;
}
