import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '../docs');
const page = readFileSync(path.join(folder, 'auth-compared.md'), 'utf8');

/** A file with evidence: of tests, or of checks of the packed packages. */
const PROOF = /\.test\.tsx?$|^\.\.\/tools\/check-[\w-]+\.ts$/;

/** The titles in such a file: of `it('…')`, `it.each(…)('…')`, the same for `describe`, and of `checks.run('…')`. */
function testNames(file: string): string[] {
  const calls = readFileSync(file, 'utf8').matchAll(
    /(?:^\s*(?:it|describe|await checks\.run)|\))\(\s*(['"`])(.*?)\1,\s/gm,
  );
  return Array.from(calls, ([, , name = '']) => name);
}

/** The links to files next to the page: the complete link, its text and its target. */
function linksIn(markdown: string): RegExpExecArray[] {
  return [...markdown.matchAll(/\[([^\]]+)\]\((?!https:)([^)]+)\)/g)];
}

/** What is wrong with the page: links to missing files or tests, and ticks without a test or a note. */
function faultsOf(markdown: string): string[] {
  const faults: string[] = [];
  for (const [, text = '', target = ''] of linksIn(markdown)) {
    const file = path.join(folder, target);
    if (!existsSync(file)) faults.push(`no file ${target}`);
    else if (PROOF.test(target) && !testNames(file).includes(text)) faults.push(`no test "${text}" in ${target}`);
  }
  for (const [, row = ''] of markdown.matchAll(/^\|(.*)\|$/gm)) {
    const cells = row.split('|').map((cell) => cell.trim());
    const [name, ours = ''] = [cells[0], cells.pop()];
    const isShown = linksIn(ours).some(([, , target = '']) => PROOF.test(target));
    if (/[✓◐]/.test(ours) && !isShown) faults.push(`no test for ${name}`);
    if (cells.includes('◐')) faults.push(`◐ without a note for ${name}`);
  }
  const notes = [...markdown.matchAll(/^\[\^([\w-]+)\]:/gm)].map(([, note = '']) => note);
  const used = [...markdown.matchAll(/\[\^([\w-]+)\](?!:)/g)].map(([, note = '']) => note);
  faults.push(...used.filter((note) => !notes.includes(note)).map((note) => `no note ${note}`));
  faults.push(...notes.filter((note) => !used.includes(note)).map((note) => `note ${note} is not used`));
  return faults;
}

describe('the comparison of sign-in libraries', () => {
  it('names only tests that exist', () => {
    expect(page).toContain('../auth/session/code-flow.test.ts');
    expect(faultsOf(page)).toEqual([]);
  });

  it.each([
    ['a file', '[a test](../auth/session/gone.test.ts)', 'no file ../auth/session/gone.test.ts'],
    ['a test', '[gone](../auth/crypto/digest.test.ts)', 'no test "gone" in ../auth/crypto/digest.test.ts'],
    ['a check', '[gone](../tools/check-auth-runtimes.ts)', 'no test "gone" in ../tools/check-auth-runtimes.ts'],
    ['the test of a tick', '| PKCE | — | ✓ |', 'no test for PKCE'],
    ['a test among links', '| PKCE | — | ✓ [the check](../tools/check.ts) |', 'no test for PKCE'],
    ['a note', '| PKCE | ◐[^gone] | — |', 'no note gone'],
    ['a reason', '| PKCE | ◐ | — |', '◐ without a note for PKCE'],
  ])('would miss %s', (_, markdown, fault) => {
    expect(faultsOf(markdown)).toEqual([fault]);
  });
});
