import { parseSync } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { findExportedValue } from '../app/exported-value.ts';

/** Code that may give a function a property called `fetch`. */
const MAY_ADD = /\.fetch\s*=|\bassign\s*\(/;

/** Whether the default export of a module is a function without a method `fetch`, as other platforms call it. */
export function hasFunctionAsDefault(file: string, code: string): boolean {
  if (MAY_ADD.test(code)) return false;
  const { program, module } = parseSync(file, code);
  const value = findExportedValue({ program, module }, 'default');
  return value ? isFunction(value) : isDeclared(program);
}

function isFunction(node: ESTree.Node): boolean {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isFunction(node.expression);
    default:
      return ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'].includes(node.type);
  }
}

/** Whether the name that is exported is that of a function. */
function isDeclared(program: ESTree.Program): boolean {
  const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration')?.declaration;
  return (
    exported?.type === 'Identifier' &&
    program.body.some((statement) => statement.type === 'FunctionDeclaration' && statement.id?.name === exported.name)
  );
}
