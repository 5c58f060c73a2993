import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';
import type { Plugin } from 'vite';

import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { createSourcePlugin } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';

/**
 * Refuses page code that shows `import.meta.url`, which on the server is the path of a file: directly, or through a
 * constant of the module. Pages rendered by an export are checked after rendering. This check is for those rendered on
 * request.
 */
export function createShownPlacesPlugin({ projectRoot, report }: Omit<ClientCheck, 'isPage'>): Plugin {
  return createSourcePlugin('appkit:shown-places', {
    filter: { id: /\.[cm]?[jt]sx$/, code: /\bimport\.meta\b/ },
    check(code, id) {
      for (const offset of findShownPlaces(code, id)) {
        report({
          file: toProjectPath(projectRoot, id),
          ...toSourcePosition(code, offset),
          message: 'It shows import.meta.url, which on the server is a file path.',
          fix: "Import the file instead, which has the same URL everywhere: import url from './picture.png'.",
        });
      }
    },
  });
}

/** Finds where elements show `import.meta.url`, or a value that a top-level constant derives from it. */
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
      // A component's own use of it is not followed.
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

/** A call whose result differs from the location it is called with. */
function isOther({ callee }: ESTree.CallExpression | ESTree.NewExpression): boolean {
  return callee.type === 'Identifier' && !['String', 'URL'].includes(callee.name);
}

/** Finds `import.meta.url` and constants in an expression, except inside its functions and elements. */
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
    // The result of another function may be different.
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
