import { Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

/** How a module reads the environment. */
export interface EnvironmentReads {
  /** The variables that it names, each with its position. */
  names: [name: string, offset: number][];
  /** The first place that reads the environment in another way: by a computed name, or as a whole. */
  whole?: number | undefined;
}

const PROCESS = /^(?:node:)?process$/;

/**
 * Finds what a module reads from `process.env`. A local variable that holds the environment is followed as long as it
 * stays in the module. In doubt, such as for `context.env[name]`, it is treated as the environment.
 */
export function findEnvironmentReads(program: ESTree.Program): EnvironmentReads {
  const found: EnvironmentReads = { names: [] };
  const { environments, processes, exported } = findBindings(program);
  /** Nodes that read nothing by themselves, or were checked together with their parents. */
  const settled = new Set<ESTree.Node>();
  const settle = (...nodes: (ESTree.Node | null | undefined)[]): void => {
    for (const node of nodes) if (node) for (const inner of listWrapped(node)) settled.add(inner);
  };
  const settleKey = ({ key, computed = false }: { key: ESTree.Node; computed?: boolean | undefined }): void => {
    if (!computed) settle(key);
  };
  const addWhole = ({ start }: { start: number }): void => void (found.whole = Math.min(found.whole ?? start, start));

  const isEnvironment = (node: ESTree.Node): boolean => {
    const inner = unwrap(node);
    if (inner.type === 'Identifier') return inner.name === 'env' || environments.has(inner.name);
    return inner.type === 'MemberExpression' && toName(inner) === 'env' && unwrap(inner.object).type !== 'MetaProperty';
  };
  const isProcess = (node: ESTree.Node): boolean => {
    const inner = unwrap(node);
    if (inner.type === 'Identifier') return processes.has(inner.name);
    return (inner.type === 'MemberExpression' && toName(inner) === 'process') || isProcessModule(inner);
  };
  const addPattern = (pattern: ESTree.Node, value: ESTree.Node | null | undefined): void => {
    if (!value) return;
    if (isEnvironment(value)) addEnvironmentPattern(pattern, value);
    else if (isProcess(value)) addProcessPattern(pattern);
  };
  const addEnvironmentPattern = (pattern: ESTree.Node, value?: ESTree.Node): void => {
    if (pattern.type === 'Identifier' && environments.has(pattern.name)) return settle(pattern, value);
    if (pattern.type !== 'ObjectPattern') return;
    settle(value);
    for (const property of pattern.properties) {
      const name = property.type === 'Property' ? toKey(property) : undefined;
      if (name === undefined) addWhole(property);
      else found.names.push([name, property.start]);
    }
  };
  const addProcessPattern = (pattern: ESTree.Node): void => {
    if (pattern.type !== 'ObjectPattern') return;
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || toKey(property) !== 'env') continue;
      const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
      if (exported.has(pattern)) addWhole(property);
      addEnvironmentPattern(value);
    }
  };

  new Visitor({
    VariableDeclarator: ({ id, init }) => addPattern(id, init),
    AssignmentPattern: ({ left, right }) => addPattern(left, right),
    AssignmentExpression({ left, right }) {
      // An assignment to a variable reads no value.
      if (isEnvironment(left)) settle(left);
      addPattern(left, right);
    },
    MemberExpression(node) {
      if (!node.computed) settle(node.property);
      if (isEnvironment(node.object)) {
        settle(node.object);
        const name = toName(node);
        if (name === undefined) addWhole(node);
        else found.names.push([name, node.start]);
      }
      if (isEnvironment(node) && !settled.has(node)) addWhole(node);
    },
    Identifier(node) {
      if (environments.has(node.name) && !settled.has(node)) addWhole(node);
    },
    // Checking whether it exists, and what it contains, reads no value.
    UnaryExpression: ({ argument }) => settle(argument),
    BinaryExpression: ({ left, right }) => settle(left, right),
    LogicalExpression: ({ left, operator }) => void (operator === '&&' && settle(left)),
    ConditionalExpression: ({ test }) => settle(test),
    IfStatement: ({ test }) => settle(test),
    ExpressionStatement: ({ expression }) => settle(expression),
    // Names that are not variables.
    Property: settleKey,
    PropertyDefinition: settleKey,
    MethodDefinition: settleKey,
    TSPropertySignature: settleKey,
    TSTypeQuery: ({ exprName }) => settle(exprName),
    ImportSpecifier: ({ imported, local }) => settle(imported, local),
    ExportNamedDeclaration({ specifiers, source }) {
      const isOfProcess = source !== null && PROCESS.test(source.value);
      for (const { local, exported, start } of specifiers) {
        if (isOfProcess && local.type === 'Identifier' && local.name === 'env') addWhole({ start });
        if (source !== null) settle(local);
        if (exported !== local) settle(exported);
      }
    },
  }).visit(program);
  return found;
}

/** A module's names for the environment and the process, and the patterns whose names it exports. */
interface Bindings {
  environments: Set<string>;
  processes: Set<string>;
  exported: Set<ESTree.Node>;
}

function findBindings(program: ESTree.Program): Bindings {
  const environments = new Set<string>();
  const processes = new Set(['process']);
  const exported = new Set<ESTree.Node>();
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (!PROCESS.test(source.value)) return;
      for (const specifier of specifiers) {
        if (specifier.type !== 'ImportSpecifier') processes.add(specifier.local.name);
        else if (specifier.imported.type === 'Identifier' && specifier.imported.name === 'env')
          environments.add(specifier.local.name);
      }
    },
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { id } of declaration.declarations) exported.add(id);
    },
    VariableDeclarator({ id, init }) {
      const value = init && unwrap(init);
      if (!value || exported.has(id)) return;
      const isEnvironment = value.type === 'MemberExpression' && toName(value) === 'env';
      if (id.type === 'Identifier' && isEnvironment && unwrap(value.object).type !== 'MetaProperty') {
        environments.add(id.name);
      }
      if (id.type === 'Identifier' && isProcessModule(value)) processes.add(id.name);
      if (id.type !== 'ObjectPattern') return;
      const isOfProcess = value.type === 'Identifier' ? processes.has(value.name) : isProcessModule(value);
      for (const property of isOfProcess ? id.properties : []) {
        if (property.type !== 'Property' || toKey(property) !== 'env') continue;
        const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
        if (target.type === 'Identifier') environments.add(target.name);
      }
    },
  }).visit(program);
  return { environments, processes, exported };
}

/** `require('node:process')`, and the same with `import()`. */
function isProcessModule(node: ESTree.Node): boolean {
  if (node.type === 'AwaitExpression') return isProcessModule(unwrap(node.argument));
  if (node.type === 'ImportExpression') return isProcessName(node.source);
  const isRequire =
    node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require';
  return isRequire && isProcessName(node.arguments[0]);
}

function isProcessName(node: ESTree.Node | undefined): boolean {
  return node?.type === 'Literal' && typeof node.value === 'string' && PROCESS.test(node.value);
}

/** The name of a member, if it is written literally. */
function toName({ computed, property }: ESTree.MemberExpression): string | undefined {
  return toKey({ computed, key: property });
}

function toKey({ computed, key }: { computed: boolean; key: ESTree.Node }): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name;
  if (key.type === 'Literal') return String(key.value);
  const isPlain = key.type === 'TemplateLiteral' && key.expressions.length === 0;
  return isPlain ? (key.quasis[0]?.value.cooked ?? undefined) : undefined;
}

/** The expression inside parentheses, casts and `?.` chains. */
function unwrap(node: ESTree.Node): ESTree.Node {
  return listWrapped(node).at(-1) ?? node;
}

/** A node, and the nodes that concern its type or position, from the outside in. */
function listWrapped(node: ESTree.Node): ESTree.Node[] {
  switch (node.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return [node, ...listWrapped(node.expression)];
    default:
      return [node];
  }
}
