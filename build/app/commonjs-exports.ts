import { Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

/**
 * Reads the names that a CommonJS source exports literally: `exports.GET = …`, `module.exports.GET = …` and
 * `module.exports = { GET }`.
 */
export function readCommonJsExports(program: ESTree.Program): string[] {
  const names: string[] = [];
  new Visitor({
    AssignmentExpression({ left, right }) {
      if (left.type !== 'MemberExpression') return;
      if (isExports(left.object)) {
        const name = toName(left.property);
        if (name !== undefined) names.push(name);
      } else if (isExports(left) && right.type === 'ObjectExpression') {
        for (const property of right.properties) {
          const name = property.type === 'Property' ? toName(property.key) : undefined;
          if (name !== undefined) names.push(name);
        }
      }
    },
  }).visit(program);
  return names;
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
