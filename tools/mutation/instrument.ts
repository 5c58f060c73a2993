import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installLocked } from '../../conformance/install-locked.ts';

/** One change to the code. */
export interface Mutant {
  id: string;
  /** From the root of the repository. */
  file: string;
  /** Its place in the file, which changes when lines move. */
  line: number;
  /** The line in which it begins, trimmed. */
  code: string;
  from: string;
  to: string;
}

/** Files that contain all their mutants, each behind a switch. */
export interface Instrumented {
  /** By absolute path. */
  code: Map<string, string>;
  mutants: Mutant[];
}

interface Position {
  line: number;
  column: number;
}

/** What we use of `@stryker-mutator/instrumenter`. */
interface Instrumenter {
  instrument(
    files: { name: string; content: string; mutate: boolean }[],
    options: { plugins: null; excludedMutations: string[]; ignorers: [] },
  ): Promise<{
    files: { name: string; content: string }[];
    mutants: { id: string; fileName: string; replacement: string; location: { start: Position; end: Position } }[];
  }>;
}

/** Puts all mutants into some files. The first call installs the instrumenter. */
export async function instrument(root: string, files: readonly string[]): Promise<Instrumented> {
  const folder = await installLocked(path.join(root, 'tools/mutation'), path.join(root, '.cache/tools/mutation'));
  const entry = path.join(folder, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js');
  const { Instrumenter } = (await import(pathToFileURL(entry).href)) as {
    Instrumenter: new (logger: object) => Instrumenter; // see its instrumenter.d.ts
  };
  const logger = { debug() {}, info() {}, isDebugEnabled: () => false };
  const sources = new Map<string, string>();
  for (const file of files) sources.set(path.join(root, file), await readFile(path.join(root, file), 'utf8'));
  const { files: made, mutants } = await new Instrumenter(logger).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return {
    code: new Map(made.map(({ name, content }) => [name, content])),
    mutants: mutants.map(({ id, fileName, replacement, location }) => {
      const source = sources.get(fileName) ?? '';
      const { line } = location.start;
      return {
        id,
        file: path.relative(root, fileName),
        line: line + 1,
        code: (source.split('\n')[line] ?? '').trim(),
        from: shorten(textOf(source, location)),
        to: shorten(replacement),
      };
    }),
  };
}

function textOf(source: string, { start, end }: { start: Position; end: Position }): string {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column);
  lines[0] = (lines[0] ?? '').slice(start.column);
  return lines.join('\n');
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
