import { Visitor } from 'rolldown/utils';
import type { ESTree, ParseResult } from 'rolldown/utils';

/**
 * Reads the names that a CommonJS source exports literally: `exports.GET = …`, `module.exports.GET = …`,
 * `module.exports = { GET }` and the `export = { GET }` of TypeScript.
 */
export function readCommonJsExports(program: ESTree.Program): string[] {
  const names: string[] = [];
  new Visitor({
    AssignmentExpression({ left, right }) {
      if (left.type !== 'MemberExpression') return;
      if (isExports(left.object)) {
        const name = toName(left.property);
        if (name !== undefined) names.push(name);
      } else if (isExports(left)) {
        names.push(...namesOf(right));
      }
    },
    TSExportAssignment({ expression }) {
      names.push(...namesOf(expression));
    },
  }).visit(program);
  return names;
}

/** Whether a source is CommonJS. For the parser, the `export =` of TypeScript is the syntax of an ES module. */
export function isCommonJs({ program, module }: Pick<ParseResult, 'program' | 'module'>): boolean {
  return !module.hasModuleSyntax || program.body.some(({ type }) => type === 'TSExportAssignment');
}

/** Whether a source replaces what it exports: `module.exports = …`, or the `export = …` of TypeScript. */
export function replacesExports(program: ESTree.Program): boolean {
  let isFound = false;
  new Visitor({
    AssignmentExpression({ left }) {
      if (left.type === 'MemberExpression' && isExports(left)) isFound = true;
    },
    TSExportAssignment() {
      isFound = true;
    },
  }).visit(program);
  return isFound;
}

/** What is left of an expression when the types are removed. */
function withoutTypes(node: ESTree.Expression): ESTree.Expression {
  switch (node.type) {
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return withoutTypes(node.expression);
    default:
      return node;
  }
}

/** The names in an object that is written out. */
function namesOf(exported: ESTree.Expression): string[] {
  const value = withoutTypes(exported);
  if (value.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((property) => (property.type === 'Property' ? (toName(property.key) ?? []) : []));
}

/** `exports` or `module.exports`. */
function isExports(node: ESTree.Node): boolean {
  if (node.type === 'Identifier') return node.name === 'exports';
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    toName(node.property) === 'exports'
  );
}

function toName(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
