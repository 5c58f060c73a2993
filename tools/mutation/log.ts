import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A line of what the processes of a run write down. */
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
  /** The mutant has left something behind: the file goes on in a new process. */
  | { is: 'left'; file: string; mutant: string }
  | { is: 'done with its own'; file: string }
  | { is: 'done'; file: string };

/** What the processes are to do. */
export interface Plan {
  /** `a.test.ts` tries the mutants of `a.ts`, no others. */
  isOwnOnly: boolean;
  /** By mutant, absolute. */
  fileOf: Record<string, string>;
}

/** What each process has written, by its id. */
export async function readLogs(folder: string): Promise<Map<number, Entry[]>> {
  const logs = new Map<number, Entry[]>();
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))) {
    // The last line may be half written.
    const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n').slice(0, -1);
    logs.set(
      Number.parseInt(name, 10),
      lines.map((line) => JSON.parse(line) as Entry), // written by runner.ts
    );
  }
  return logs;
}
