import type * as ViteApi from 'vite';

/** How a module, transformed for the server, uses CommonJS. */
export interface CommonJsUse {
  /** Whether it has no ES module syntax, so that it exports the value of `module.exports` after it has run. */
  isCommonJs: boolean;
  /** Whether it begins with the directive for strict mode. */
  isStrict: boolean;
  /** The names that it requires as string literals. */
  required: string[];
}

/** The names to which Vite compiles ES module syntax. */
const ES_SYNTAX = new Set([
  '__vite_ssr_import__',
  '__vite_ssr_exportName__',
  '__vite_ssr_exportAll__',
  '__vite_ssr_exports__',
  '__vite_ssr_import_meta__',
]);

const NONE: CommonJsUse = { isCommonJs: false, isStrict: false, required: [] };

/** Finds out how a module's code, as Vite transforms it for a module runner, uses CommonJS. */
export function readCommonJsUse({ parseAst }: Pick<typeof ViteApi, 'parseAst'>, code: string): CommonJsUse {
  const mayBeCommonJs = ![...ES_SYNTAX].some((name) => code.includes(name));
  if (!mayBeCommonJs && !/\brequire\b/.test(code)) return NONE;
  const required = new Set<string>();
  let isCommonJs = true;
  let ownsRequire = false;

  const visit = (node: Node, isInFunction: boolean): void => {
    if (node.type === 'Identifier' && ES_SYNTAX.has(String(node['name']))) isCommonJs = false;
    // An await outside of functions.
    if (node.type === 'AwaitExpression' && !isInFunction) isCommonJs = false;
    if (declaresRequire(node)) ownsRequire = true;
    const name = requiredName(node);
    if (name !== undefined) required.add(name);
    const isFunction = /Function/.test(node.type);
    for (const child of childrenOf(node)) visit(child, isInFunction || isFunction);
  };
  const program = parseAst(code) as unknown as Node; // its node types are not ours, but all have `type`
  visit(program, false);
  const isStrict = childrenOf(program).some((statement) => statement['directive'] === 'use strict');
  return { isCommonJs, isStrict, required: ownsRequire ? [] : [...required] };
}

interface Node {
  type: string;
  [key: string]: unknown;
}

function requiredName({ type, callee, arguments: given }: Node): string | undefined {
  if (type !== 'CallExpression' || !isNode(callee) || callee['name'] !== 'require') return undefined;
  const [first, ...others] = given as Node[];
  return others.length === 0 && first?.type === 'Literal' && typeof first['value'] === 'string'
    ? first['value']
    : undefined;
}

/** Such as `const require = createRequire(import.meta.url)`, which is Node's own. */
function declaresRequire({ type, id }: Node): boolean {
  return (type === 'VariableDeclarator' || type === 'FunctionDeclaration') && isNode(id) && id['name'] === 'require';
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}
