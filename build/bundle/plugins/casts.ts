import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { blank } from './blank.ts';

const TYPED = /\.(?:[cm]?ts|tsx)$/;

/**
 * Removes the casts in front of members, as in `(process.env as Env).FLAG`, from modules that may name a constant: the bundler
 * (rolldown 1.2) replaces constants before it removes types. Spaces take their place, which move nothing.
 *
 * @param constants – the names that stand for code.
 */
export function createCastsPlugin(constants: Readonly<Record<string, string>> = {}): Plugin[] {
  const members = Object.keys(constants).flatMap((name) => (name.includes('.') ? (name.split('.').at(-1) ?? []) : []));
  if (members.length === 0) return [];
  const names = members.map((name) => name.replaceAll('$', String.raw`\$`));
  return [
    {
      name: 'appkit:casts',
      transform: {
        filter: { id: TYPED, code: new RegExp(names.join('|')) },
        handler: (code, id) => ({ code: removeCasts(code, id), map: null }),
      },
    },
  ];
}

function removeCasts(code: string, file: string): string {
  const casts: [start: number, end: number][] = [];
  new Visitor({
    MemberExpression({ object }) {
      for (let node: ESTree.Node = object; ;) {
        const inner = toInner(node);
        if (!inner) return;
        if (node.type !== 'ParenthesizedExpression') casts.push([node.start, inner.start], [inner.end, node.end]);
        node = inner;
      }
    },
  }).visit(parseSync(file, code).program);
  return blank(code, casts);
}

function toInner(node: ESTree.Node): ESTree.Expression | undefined {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return node.expression;
    default:
      return undefined;
  }
}
