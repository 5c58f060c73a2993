import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { decide, refuse } from './decide.ts';
import type { Decision, Question } from './decide.ts';
import { describeFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';

/** A decision, and the open file to send from. The receiver must close it. */
export interface Opened {
  decision: Decision;
  handle?: FileHandle;
}

/** The largest part of a file held in memory per client, in bytes. */
const CHUNK = 65_536;

/** How often we read the state of a file that keeps changing. */
const ATTEMPTS = 3;

/**
 * Decides, and opens the file to send. If the file has changed since it was described, it is described again, since its
 * length is in the answer's head.
 */
export function openFile(question: Question, file: StaticFile): Opened | Promise<Opened> {
  const decision = decide(question, file);
  // Most requests are for files that the client already has: 304.
  return decision.part ? openPart(question, file, decision) : { decision };
}

async function openPart(question: Question, described: StaticFile, first: Decision): Promise<Opened> {
  let file = described;
  let decision = first;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!decision.part) return { decision };
    const { form } = decision.part;
    const handle = await open(form.path).catch(ignoreMissing);
    if (handle) {
      const { size, mtimeMs } = await handle.stat();
      if (size === form.size && Math.trunc(mtimeMs) === Math.trunc(form.mtimeMs)) return { decision, handle };
      await handle.close();
    }
    const stats = await stat(file.path).catch(ignoreMissing);
    if (!stats) return { decision: refuse(404) };
    file = describeFile(file.name, { path: file.path, stats });
    decision = decide(question, file);
  }
  throw new Error(`${file.path} keeps changing while it is served.`);
}

/**
 * Reads a part of a file.
 *
 * @throws Error when the file ends before the part does, since the head announces another length.
 */
export async function* readPart(
  handle: FileHandle,
  part: { start: number; end: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let position = part.start; position < part.end;) {
    const buffer = new Uint8Array(Math.min(CHUNK, part.end - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error(`A file ended at byte ${position}, where ${part.end} were expected.`);
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
