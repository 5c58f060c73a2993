import type { ESTree } from 'rolldown/utils';

/**
 * Describes the value of an expression or declaration that cannot be a function: `a number`, `an object`. Returns
 * nothing for what may be one, such as a name or the result of a call.
 */
export function explainNonFunction(node: ESTree.Node): string | undefined {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
      return explainNonFunction(node.expression);
    case 'Literal':
      return node.value === null && node.raw === 'null' ? 'null' : toArticled(typeof node.value);
    case 'TemplateLiteral':
      return 'a string';
    case 'ObjectExpression':
      return 'an object';
    case 'ArrayExpression':
      return 'an array';
    case 'ClassDeclaration':
    case 'ClassExpression':
      return 'a class';
    case 'TSEnumDeclaration':
      return 'an enumeration';
    case 'JSXElement':
    case 'JSXFragment':
      return 'an element';
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'UpdateExpression':
      return 'a computed value';
    default:
      return undefined;
  }
}

function toArticled(type: string): string {
  return `${type === 'object' ? 'an' : 'a'} ${type}`;
}
