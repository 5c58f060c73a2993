import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '../docs');
const page = readFileSync(path.join(folder, 'auth-compared.md'), 'utf8');

/** The names in a test file: of `it('…')` and `it.each(…)('…')`, and the same of `describe`. */
function testNames(file: string): string[] {
  const calls = readFileSync(file, 'utf8').matchAll(/(?:^\s*(?:it|describe)|\))\(\s*(['"`])(.*?)\1,\s/gm);
  return Array.from(calls, ([, , name = '']) => name);
}

/** What is wrong with the page: links to what is not there, and ticks without a test or a note. */
function faultsOf(markdown: string): string[] {
  const faults: string[] = [];
  for (const [, text = '', target = ''] of markdown.matchAll(/\[([^\]]+)\]\((?!https:)([^)]+)\)/g)) {
    const file = path.join(folder, target);
    const isTest = /\.test\.tsx?$/.test(target);
    if (!existsSync(file)) faults.push(`no file ${target}`);
    else if (isTest && !testNames(file).includes(text)) faults.push(`no test "${text}" in ${target}`);
  }
  for (const [, row = ''] of markdown.matchAll(/^\|(.*)\|$/gm)) {
    const cells = row.split('|').map((cell) => cell.trim());
    const [name, ours = ''] = [cells[0], cells.pop()];
    if (/[✓◐]/.test(ours) && !/\.test\.tsx?\)/.test(ours)) faults.push(`no test for ${name}`);
    if (cells.includes('◐')) faults.push(`◐ without a note for ${name}`);
  }
  const notes = [...markdown.matchAll(/^\[\^([\w-]+)\]:/gm)].map(([, note = '']) => note);
  const used = [...markdown.matchAll(/\[\^([\w-]+)\](?!:)/g)].map(([, note = '']) => note);
  faults.push(...used.filter((note) => !notes.includes(note)).map((note) => `no note ${note}`));
  faults.push(...notes.filter((note) => !used.includes(note)).map((note) => `note ${note} is not used`));
  return faults;
}

describe('the comparison of sign-in libraries', () => {
  it('names tests that there are', () => {
    expect(page).toContain('../auth/session/code-flow.test.ts');
    expect(faultsOf(page)).toEqual([]);
  });

  it.each([
    ['a file', '[a test](../auth/session/gone.test.ts)', 'no file ../auth/session/gone.test.ts'],
    ['a test', '[gone](../auth/crypto/digest.test.ts)', 'no test "gone" in ../auth/crypto/digest.test.ts'],
    ['the test of a tick', '| PKCE | — | ✓ |', 'no test for PKCE'],
    ['a note', '| PKCE | ◐[^gone] | — |', 'no note gone'],
    ['a reason', '| PKCE | ◐ | — |', '◐ without a note for PKCE'],
  ])('would miss %s', (_, markdown, fault) => {
    expect(faultsOf(markdown)).toEqual([fault]);
  });
});
