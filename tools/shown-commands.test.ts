import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFetchingCommands } from './shown-commands.ts';

const root = path.join(import.meta.dirname, '..');
const SKIPPED = ['node_modules', 'lib', 'dist', '.cache', '.git', '.appkit', 'templates'];

function list(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (name) => SKIPPED.includes(path.basename(name)) }).toSorted();
}

function findIn(files: readonly string[], isPage: boolean): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return findFetchingCommands({ text, isPage }).map((found) => `${file}: ${found}`);
  });
}

describe("no command that we show fetches another owner's package", () => {
  it('in a page', () => {
    const pages = list('**/*.md', '.changeset/*.md', 'examples/**/*.tsx');
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'docs/guide/hosting.md', 'examples/docs/app/index.tsx']),
    );
    expect(findIn(pages, true)).toEqual([]);
  });

  it('in a message, a template or an example', () => {
    const files = list(
      '{adapters,auth,build,cli,router,runtime}/**/*.{ts,tsx,js,mjs,json,jsonc,toml,yaml,sh}',
      'examples/**/*.{ts,json,html}',
      'tools/*.ts',
      '*.{json,toml}',
    ).filter((file) => !/\.test\.tsx?$|package-lock\.json$/.test(file));
    expect(files).toEqual(expect.arrayContaining(['adapters/node/template.json', 'cli/appkit/commands/init.ts']));
    expect(findIn(files, false)).toEqual([]);
  });
});

describe('a command that would', () => {
  it.each([
    ['npx appkit@0.1.0 start', 'with a version'],
    ['npx --yes appkit start', 'no package of ours'],
    ['npx -p appkit appkit start', 'no package of ours'],
    ['npm exec appkit start', 'say first that appkit-cli is installed'],
    ['npx appkit start', 'say first that appkit-cli is installed'],
    ['appkit-cli: npx appkit init my-app --minimal', 'Show npm run new'],
    ['npx uri-scheme list', 'say first that appkit-uri-scheme is installed'],
    ['npx appkit-cli init', 'no package of ours'],
    ['npm create appkit my-app', 'Show npm run new'],
    ['npm init appkit', 'Show npm run new'],
    ['npm install appkit', 'from a tarball'],
    ['npm install --save-dev vite appkit-build@0.1.0', 'from a tarball'],
    ['pnpm add appkit-router', 'from a tarball'],
  ])('is found: %s', (text, reason) => {
    expect(findFetchingCommands({ text, isPage: true })).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    'Where appkit-cli is installed: npx appkit init --host node',
    'With netlify-cli: npx netlify login',
    'npx wrangler@4.164.0 deploy',
    'npm install ./vendor/appkit-router-*.tgz react',
    'npm install express@5.3.0      # for appkit',
  ])('is not: %s', (text) => {
    expect(findFetchingCommands({ text, isPage: true })).toEqual([]);
  });
});
