import type { ESTree } from 'rolldown/utils';

/** The expression without its type annotations and parentheses. */
function unwrap(node: ESTree.Node | undefined): ESTree.Node | undefined {
  const isWrapped =
    node?.type === 'TSAsExpression' ||
    node?.type === 'TSSatisfiesExpression' ||
    node?.type === 'ParenthesizedExpression';
  return isWrapped ? unwrap(node.expression) : node;
}

/** Finds the value of a property in an object literal. Returns nothing when the literal does not show it. */
export function findProperty(object: ESTree.Node | undefined, name: string): ESTree.Node | undefined {
  const found = readProperty(object, name);
  return found === 'absent' || found === 'unknown' ? undefined : found;
}

/** Reads a property of an object literal. Spread properties and computed names may hide it; then it is unknown. */
export function readProperty(object: ESTree.Node | undefined, name: string): ESTree.Node | 'absent' | 'unknown' {
  const literal = unwrap(object);
  if (literal?.type !== 'ObjectExpression') return 'unknown';
  let found: ESTree.Node | 'absent' | 'unknown' = 'absent';
  for (const property of literal.properties) {
    if (property.type !== 'Property' || (property.computed && property.key.type !== 'Literal')) found = 'unknown';
    else if (keyOf(property.key) === name) found = unwrap(property.value) ?? 'unknown';
  }
  if (typeof found === 'object' && found.type === 'Identifier' && found.name === 'undefined') return 'absent';
  return found;
}

function keyOf(key: ESTree.Node): unknown {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
}

/** The value of a string, a number or a product of numbers, such as `5 * 60_000`. `undefined` for everything else. */
export function toLiteral(node: ESTree.Node | undefined): string | number | undefined {
  const found = unwrap(node);
  if (found?.type === 'Literal') {
    return typeof found.value === 'string' || typeof found.value === 'number' ? found.value : undefined;
  }
  if (found?.type === 'TemplateLiteral')
    return found.expressions.length === 0 ? (found.quasis[0]?.value.cooked ?? undefined) : undefined;
  if (found?.type !== 'BinaryExpression' || found.operator !== '*') return undefined;
  const [left, right] = [toLiteral(found.left), toLiteral(found.right)];
  return typeof left === 'number' && typeof right === 'number' ? left * right : undefined;
}
