import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A line that a process of a run writes. */
export type Entry =
  /** These fail without any mutant, so they are left out. */
  | { is: 'broken'; file: string; tests: string[] }
  /** These fail when they run again, so they are left out. */
  | { is: 'once'; file: string; tests: string[] }
  | { is: 'started'; file: string; mutant: string; fuseSeconds: number }
  | { is: 'survived'; file: string; mutant: string }
  | { is: 'killed'; file: string; mutant: string; by: string }
  /** Ended by the fuse. */
  | { is: 'hung'; file: string; mutant: string }
  /** The mutant has left side effects behind: the file continues in a new process. */
  | { is: 'left'; file: string; mutant: string }
  | { is: 'done with its own'; file: string }
  | { is: 'done'; file: string };

/** The instructions for the processes. */
export interface Plan {
  /** `a.test.ts` tries the mutants of `a.ts`, no others. */
  isOwnOnly: boolean;
  /** By mutant, absolute. */
  fileOf: Record<string, string>;
}

/** The output of each process, by its id. */
export async function readLogs(folder: string): Promise<Map<number, Entry[]>> {
  const logs = new Map<number, Entry[]>();
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))) {
    // The last line may be incomplete.
    const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n').slice(0, -1);
    logs.set(
      Number.parseInt(name, 10),
      lines.map((line) => JSON.parse(line) as Entry), // written by runner.ts
    );
  }
  return logs;
}
