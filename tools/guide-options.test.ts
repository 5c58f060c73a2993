import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** The options that a page of the guide does not have, and its command has. */
function missingOptions(command: string, page: string): string[] {
  const bin = path.join(root, 'cli/appkit/bin/appkit.js');
  const help = execFileSync(process.execPath, [bin, command, '--help'], { encoding: 'utf8' });
  const [own = ''] = help.split('\nGlobal Options:');
  const options = [...own.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option);
  expect(options).toContain('--help');
  const text = readFileSync(path.join(root, 'docs/guide', page), 'utf8');
  return options.filter((option) => option !== '--help' && !new RegExp(`${option}\\b`).test(text));
}

it('names every option of appkit export in the guide', () => {
  expect(missingOptions('export', 'export.md')).toEqual([]);
});

it('names every option of appkit start in the guide', () => {
  expect(missingOptions('start', 'development.md')).toEqual([]);
});
