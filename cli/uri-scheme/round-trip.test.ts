import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { configs, manifests, NEW_SCHEME, plists } from './fixtures/generated.ts';
import { formats } from './formats.ts';
import type { SchemeFileKind } from './scheme-file.ts';

const FILES: [kind: SchemeFileKind, files: fc.Arbitrary<string>][] = [
  ['android-manifest', manifests],
  ['info-plist', plists],
  ['app-config', configs],
];
const RUNS = propertyRuns({ push: 300, weekly: 20_000 });

function edit(kind: SchemeFileKind, change: 'add' | 'remove', text: string, scheme = NEW_SCHEME): string {
  const source = { path: '/file', file: 'file', text };
  return change === 'add' ? formats[kind].add(source, scheme, {}).text : formats[kind].remove(source, [scheme]).text;
}

function list(kind: SchemeFileKind, text: string): string[] {
  return formats[kind].list({ path: '/file', file: 'file', text }).map(({ scheme }) => scheme);
}

function commentsIn(text: string): string[] {
  const comments = text.match(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|\/\/ [^\r\n]*/g) ?? [];
  return comments.map((comment) => comment.trimEnd());
}

describe.each(FILES)('any %s', (kind, files) => {
  it('is unchanged, byte for byte, after a scheme was added and removed', () => {
    fc.assert(
      fc.property(files, (text) => {
        expect(edit(kind, 'remove', edit(kind, 'add', text))).toBe(text);
      }),
      RUNS,
    );
  });

  it('has an added scheme after the existing ones, and keeps its comments', () => {
    fc.assert(
      fc.property(files, (text) => {
        const added = edit(kind, 'add', text);
        expect(list(kind, added).toSorted()).toEqual([...list(kind, text), NEW_SCHEME].toSorted());
        expect(commentsIn(added)).toEqual(commentsIn(text));
      }),
      RUNS,
    );
  });

  it('is not changed by adding a scheme twice, nor by removing a missing one', () => {
    fc.assert(
      fc.property(files, (text) => {
        const added = edit(kind, 'add', text);
        expect(edit(kind, 'add', added)).toBe(added);
        expect(edit(kind, 'remove', text)).toBe(text);
      }),
      RUNS,
    );
  });

  it('loses a removed scheme, and keeps all others and its comments', () => {
    fc.assert(
      fc.property(files, (text) => {
        const before = list(kind, text);
        const [scheme] = before;
        fc.pre(scheme !== undefined);
        // iOS ignores the case of schemes.
        const isSame = (other: string): boolean =>
          kind === 'info-plist' ? other.toLowerCase() === scheme.toLowerCase() : other === scheme;
        const removed = edit(kind, 'remove', text, scheme);
        expect(list(kind, removed)).toEqual(before.filter((other) => !isSame(other)));
        expect(commentsIn(removed)).toEqual(commentsIn(text));
      }),
      RUNS,
    );
  });
});
