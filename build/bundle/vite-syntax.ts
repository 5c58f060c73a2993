import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import type { Problem } from '../problem.ts';

/** Finds what Vite compiles in a module of the app, and the bundler leaves as it is. */
export function findViteSyntax(code: string, { file, projectRoot }: { file: string; projectRoot: string }): Problem[] {
  if (!/\bglob\b|\bimport\s*\(/.test(code)) return [];
  const problems: Problem[] = [];
  const add = ({ start }: ESTree.Span, what: string): void => {
    problems.push({
      file: toProjectPath(projectRoot, file),
      ...toSourcePosition(code, start),
      message: `Only Vite can bundle ${what}.`,
      fix: 'In a route, import each module by its path.',
    });
  };
  new Visitor({
    MemberExpression(node) {
      if (node.object.type === 'MetaProperty' && code.slice(node.start, node.end) === 'import.meta.glob')
        add(node, 'import.meta.glob');
    },
    ImportExpression(node) {
      if (node.source.type === 'TemplateLiteral' && node.source.expressions.length > 0)
        add(node, 'an import() with a variable in its path');
    },
  }).visit(parseSync(file, code).program);
  return problems;
}
