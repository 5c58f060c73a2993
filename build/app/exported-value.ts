import type { ESTree, ParseResult } from 'rolldown/utils';

/**
 * Finds what an ES module exports under a name: the initialiser of a constant, a class or an enumeration. Returns
 * nothing for a value that is imported, can change or is only known by running the module.
 */
export function findExportedValue(
  { program, module }: Pick<ParseResult, 'program' | 'module'>,
  name: string,
): ESTree.Node | undefined {
  if (name === 'default') {
    const statement = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration');
    if (statement && statement.declaration.type !== 'Identifier') return statement.declaration;
    if (statement?.declaration.type === 'Identifier') return findConstant(program, statement.declaration.name);
  }
  const entry = module.staticExports
    .flatMap(({ entries }) => entries)
    .find(({ exportName, isType }) => !isType && (exportName.name ?? exportName.kind.toLowerCase()) === name);
  const local = entry?.localName.name; // null for what comes from another module
  return typeof local === 'string' ? findConstant(program, local) : undefined;
}

function findConstant(program: ESTree.Program, name: string): ESTree.Node | undefined {
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration' && declaration.kind === 'const') {
      const declarator = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
      if (declarator) return declarator.init ?? undefined;
    }
    const isNamed = declaration?.type === 'ClassDeclaration' || declaration?.type === 'TSEnumDeclaration';
    if (isNamed && declaration.id?.name === name) return declaration;
  }
  return undefined;
}
