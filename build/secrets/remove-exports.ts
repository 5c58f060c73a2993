import { createRequire } from 'node:module';

import type { analyze } from '@typescript-eslint/scope-manager';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

/** The parts of the package that are used. */
interface ScopeManager {
  analyze: typeof analyze;
}

/** What is left of a module. */
export interface RemovedExports {
  /** The remaining code, as long as the source, with the same lines and columns: removed parts became spaces. */
  code: string;
  /**
   * Exports that could not be removed because the remaining code needs the same values, with the place where it does.
   */
  kept: { name: string; offset: number }[];
  /** The modules of each `export * from`, any of which may re-export such an export. */
  stars: { specifier: string; offset: number }[];
}

interface Range {
  start: number;
  end: number;
}

/** The smallest part of a module that is kept or removed as a whole: a statement, a declarator, a specifier. */
interface Unit extends Range {
  statement: ESTree.Program['body'][number];
  /** The top-level names it defines. */
  names: string[];
  /** The exports it makes. */
  exports: string[];
}

/** The units that each unit needs when the program runs, with the offset of the reference. */
type Uses = Map<Unit, Map<Unit, number>>;

/**
 * Removes exports from a module, and with them every import and top-level declaration that only they used. An import is
 * removed as a whole, so that its module is not even loaded for its side effects.
 *
 * @returns undefined when the source cannot be parsed. The bundler reports why.
 */
export function removeExports(
  source: string,
  { file, names }: { file: string; names: readonly string[] },
): RemovedExports | undefined {
  const { program, comments, errors } = parseSync(file, source, { astType: 'ts', range: true });
  if (errors.length > 0) return undefined;
  const units = program.body.flatMap(toUnits);
  const uses = findUses(program, units);

  const targets = units.filter((unit) => unit.exports.some((name) => names.includes(name)));
  const own = targets.flatMap((target) => target.names);
  const reached = reach([...targets, ...units.filter((unit) => unit.names.some((name) => own.includes(name)))], uses);
  const isRoot = (unit: Unit): boolean => !reached.has(unit) || unit.exports.some((name) => !names.includes(name));
  const staying = reach(units.filter(isRoot), uses);
  const removed = new Set([...reached].filter((unit) => !staying.has(unit)));
  const touched = new Set([...removed].map((unit) => unit.statement));
  const gone = [...touched].filter(
    (statement) => !units.some((unit) => unit.statement === statement && !removed.has(unit)),
  );
  const lists = [...touched].filter((statement) => !gone.includes(statement));
  const cuts = lists.flatMap((statement) => {
    const parts = units.filter((unit) => unit.statement === statement);
    return toListRanges(parts, { removed, statement, source });
  });

  return {
    code: blank(source, { statements: gone, ranges: [...cuts, ...findComments(comments, { program, gone, source })] }),
    kept: targets.flatMap((target) => findOtherUse(target, { names, staying, uses })),
    stars: program.body.flatMap((node) =>
      node.type === 'ExportAllDeclaration' && node.exported === null && node.exportKind !== 'type'
        ? [{ specifier: node.source.value, offset: node.start }]
        : [],
    ),
  };
}

function toUnits(statement: ESTree.Program['body'][number]): Unit[] {
  const toUnit = ({ start, end }: Range, names: string[] = [], exports: string[] = []): Unit => ({
    start,
    end,
    statement,
    names,
    exports,
  });
  switch (statement.type) {
    case 'ImportDeclaration':
      if (statement.specifiers.length === 0) return [toUnit(statement)];
      return statement.specifiers.map((specifier) => toUnit(specifier, [specifier.local.name]));
    case 'ExportAllDeclaration':
      return [toUnit(statement, [], statement.exported ? [toExportName(statement.exported)] : [])];
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement;
      const id = 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
      return [toUnit(statement, id, ['default'])];
    }
    case 'ExportNamedDeclaration':
      if (!statement.declaration) {
        return statement.specifiers.map((specifier) => toUnit(specifier, [], [toExportName(specifier.exported)]));
      }
      return toDeclared(statement.declaration).map((part) =>
        toUnit(part.range === statement.declaration ? statement : part.range, part.names, part.names),
      );
    case 'ExpressionStatement': {
      // `loader.limit = 5` belongs to the loader. Any other statement is kept for its effect.
      const { expression } = statement;
      const owner = expression.type === 'AssignmentExpression' ? findOwner(expression.left) : undefined;
      return [toUnit(statement, owner === undefined ? [] : [owner])];
    }
    default:
      return toDeclared(statement).map((part) => toUnit(part.range, part.names));
  }
}

function toDeclared(node: ESTree.Program['body'][number] | ESTree.Declaration): { range: Range; names: string[] }[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.map((range) => ({ range, names: toBoundNames(range.id) }));
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      return [{ range: node, names: node.id?.type === 'Identifier' ? [node.id.name] : [] }];
    default:
      return [{ range: node, names: [] }];
  }
}

function toBoundNames(pattern: ESTree.BindingPattern | ESTree.BindingRestElement): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return toBoundNames(pattern.left);
    case 'RestElement':
      return toBoundNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? toBoundNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        toBoundNames(property.type === 'RestElement' ? property : property.value),
      );
  }
}

function toExportName(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name;
}

function findOwner(target: ESTree.Node): string | undefined {
  if (target.type === 'Identifier') return target.name;
  return target.type === 'MemberExpression' ? findOwner(target.object) : undefined;
}

function findUses(program: ESTree.Program, units: readonly Unit[]): Uses {
  const typeQueries: Range[] = [];
  new Visitor({ TSTypeQuery: (node) => void typeQueries.push(node) }).visit(program);
  const isIn = (range: Range, offset: number): boolean => range.start <= offset && offset < range.end;
  // The two packages describe the same tree, ESTree with the nodes of typescript-eslint, by their own types.
  // Only when something has to be removed: loading it takes longer than finding out that nothing has to.
  const scopeManager = createRequire(import.meta.url)('@typescript-eslint/scope-manager') as ScopeManager;
  const { scopes } = scopeManager.analyze(program as never, { sourceType: 'module', lib: [] });

  const uses: Uses = new Map(units.map((unit) => [unit, new Map()]));
  for (const { name, references } of scopes.find(({ type }) => type === 'module')?.variables ?? []) {
    const meant = units.filter((unit) => unit.names.includes(name));
    for (const { identifier, isValueReference } of references) {
      const [offset] = identifier.range;
      if (!isValueReference || typeQueries.some((range) => isIn(range, offset))) continue;
      const user = units.find((unit) => isIn(unit, offset));
      for (const unit of meant) if (user && user !== unit) uses.get(user)?.set(unit, offset);
    }
  }
  return uses;
}

function reach(from: readonly Unit[], uses: Uses): Set<Unit> {
  const reached = new Set(from);
  // A set also visits items added during the loop.
  for (const unit of reached) for (const used of uses.get(unit)?.keys() ?? []) reached.add(used);
  return reached;
}

function findOtherUse(
  target: Unit,
  { names, staying, uses }: { names: readonly string[]; staying: ReadonlySet<Unit>; uses: Uses },
): { name: string; offset: number }[] {
  // `export { read as loader }` counts as the value it names.
  const meant = target.names.length > 0 ? [target] : [...(uses.get(target)?.keys() ?? [])];
  const shared = meant.find((unit) => staying.has(unit));
  if (!shared) return [];
  const offset = [...staying].map((unit) => uses.get(unit)?.get(shared)).find((found) => found !== undefined);
  const found = target.exports.filter((name) => names.includes(name));
  return found.map((name) => ({ name, offset: offset ?? shared.start }));
}

/** The ranges of the removed parts of a list, each with the comma that is no longer needed. */
function toListRanges(
  parts: readonly Unit[],
  { removed, statement, source }: { removed: ReadonlySet<Unit>; statement: Range; source: string },
): Range[] {
  const ranges: Range[] = [];
  // `import A, { b, c }` is a list inside a list.
  const brace = source.indexOf('{', statement.start);
  const isInBraces = (unit: Unit): boolean => unit.statement.type === 'ImportDeclaration' && unit.start > brace;
  const hasOuter = parts.some((unit) => isInBraces(unit)) && parts.some((unit) => !isInBraces(unit));
  const lists = hasOuter ? [parts.filter((unit) => !isInBraces(unit)), parts.filter(isInBraces)] : [parts];
  const staying = lists.map((list) => list.filter((unit) => !removed.has(unit)));
  const [outer, inner] = lists;
  if (hasOuter && outer?.[0] && staying[0]?.length === 0) ranges.push({ start: outer[0].start, end: brace });
  if (hasOuter && outer?.[0] && staying[1]?.length === 0) {
    ranges.push({ start: outer[0].end, end: source.indexOf('}', inner?.at(-1)?.end) + 1 });
  }
  for (const [index, list] of lists.entries()) {
    if (staying[index]?.length === 0) continue;
    const last = list.findLastIndex((unit) => !removed.has(unit));
    for (const [position, unit] of list.entries()) {
      const next = list[position + 1];
      if (!removed.has(unit)) continue;
      if (position < last && next) ranges.push({ start: unit.start, end: next.start });
      else ranges.push({ start: list[position - 1]?.end ?? unit.start, end: unit.end });
    }
  }
  return ranges;
}

/** The comments of removed statements. A comment on the same line after another statement belongs to that statement. */
function findComments(
  comments: readonly Range[],
  { program, gone, source }: { program: ESTree.Program; gone: readonly Range[]; source: string },
): Range[] {
  return comments.filter((comment) => {
    const before = program.body.findLast((node) => node.end <= comment.start);
    const after = program.body.find((node) => node.start >= comment.end);
    const isBeside = before !== undefined && !/[\n\r]/.test(source.slice(before.end, comment.start));
    const owner = isBeside ? before : after;
    // `@jsxImportSource` at the top applies to the entire file.
    return owner !== undefined && gone.includes(owner) && !source.slice(comment.start, comment.end).includes('@jsx');
  });
}

function blank(
  source: string,
  { statements, ranges }: { statements: readonly Range[]; ranges: readonly Range[] },
): string {
  let code = source;
  for (const { start, end } of [...statements, ...ranges]) {
    const spaces = source.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, ' ');
    code = code.slice(0, start) + spaces + code.slice(end);
  }
  // Otherwise, a line before it without a semicolon could continue in the line after it.
  for (const { start } of statements) code = `${code.slice(0, start)};${code.slice(start + 1)}`;
  return code;
}
