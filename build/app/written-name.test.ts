import path from 'node:path';

import { expect, it } from 'vitest';

import { findWrittenName } from './written-name.ts';

const PROJECT = path.resolve('/project');
const FOLDERS: Record<string, string[]> = {
  '.': ['app', 'Lib'],
  Lib: ['Db.ts', 'caf\u00e9.ts', 'other.ts'],
  app: ['a+api.ts', 'A+api.ts'],
};

const find = (name: string): string | undefined =>
  findWrittenName(PROJECT, path.join(PROJECT, name), (folder) => {
    const names = FOLDERS[path.relative(PROJECT, folder) || '.'];
    if (!names) throw new Error(`There is no folder ${folder}.`);
    return new Set(names);
  });

it('is found for a file in another letter case, also of its folder', () => {
  expect(['Lib/db.ts', 'lib/Db.ts', 'LIB/DB.TS'].map(find)).toEqual(['Lib/Db.ts', 'Lib/Db.ts', 'Lib/Db.ts']);
});

it('is found for a file whose accents are in the other form of Unicode', () => {
  expect(find('Lib/cafe\u0301.ts')).toBe('Lib/caf\u00e9.ts');
});

it('is not sought for a file by its own name, even if another differs only in letter case', () => {
  expect(['Lib/Db.ts', 'app/a+api.ts', 'app/A+api.ts'].map(find)).toEqual([undefined, undefined, undefined]);
});

it('is not sought for what the disk does not have, nor outside of the project', () => {
  expect(['Lib/none.ts', 'none/db.ts', '../Lib/db.ts'].map(find)).toEqual([undefined, undefined, undefined]);
});
