import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import Busboy from '@fastify/busboy';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { StatusError } from 'appkit-server';
import { limitBody } from 'appkit-server/limit-body';

/** A file that was saved. */
export interface SavedFile {
  /** Its name in the folder: never the name that the client gives. */
  id: string;
  name: string;
  type: string;
  bytes: number;
}

interface Limits {
  maxFiles: number;
  maxFileBytes: number;
}

/** Room for the rest of the form, apart from the content of its files: their names, types and separators. */
const FORM_BYTES = 100_000;

/**
 * Writes the files of a multipart form into a folder while they arrive, so that memory holds a few kilobytes of each.
 * Saves either all of them or none.
 *
 * @throws StatusError of 413, 415 or 400.
 */
export async function saveFiles(request: Request, folder: string, limits: Limits): Promise<SavedFile[]> {
  const { body } = limitBody(request, limits.maxFiles * limits.maxFileBytes + FORM_BYTES);
  const form = parseForm(request, limits);
  await mkdir(folder, { recursive: true });
  const ending = new AbortController();
  const saving: Promise<SavedFile>[] = [];
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    form.destroy(error as Error);
  };
  form.on('filesLimit', () => fail(new StatusError(413, `Send at most ${limits.maxFiles} files.`)));
  form.on('file', (_field, content, name, _encoding, type) => {
    const file = { id: crypto.randomUUID(), name, type };
    const saved = saveFile(content, { file, folder, signal: ending.signal, maxBytes: limits.maxFileBytes });
    saved.catch(fail);
    saving.push(saved);
  });
  try {
    // The types of Node and of the web describe the same stream differently.
    await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), form);
    const saved = await Promise.all(saving);
    for (const { id } of saved) await rename(path.join(folder, `${id}.part`), path.join(folder, id));
    return saved;
  } catch (error) {
    // Otherwise files whose content ends in the middle would wait for more.
    ending.abort();
    await Promise.allSettled(saving);
    const cause = failure ?? error;
    // A disk error, such as a full disk.
    const isOurs = cause instanceof StatusError || (cause instanceof Error && 'syscall' in cause);
    throw isOurs ? cause : new StatusError(400, 'The form is incomplete.', { cause });
  } finally {
    for (const result of await Promise.allSettled(saving)) {
      if (result.status === 'fulfilled') await rm(path.join(folder, `${result.value.id}.part`), { force: true });
    }
  }
}

function parseForm(request: Request, { maxFiles, maxFileBytes }: Limits): BusboyInstance {
  const type = request.headers.get('content-type') ?? '';
  if (request.body === null || !/^multipart\/form-data\b/i.test(type))
    throw new StatusError(415, 'Send multipart/form-data.');
  try {
    const headers = { 'content-type': type };
    return new Busboy({ headers, limits: { files: maxFiles, fileSize: maxFileBytes, fields: 20, fieldSize: 10_000 } });
  } catch (error) {
    throw new StatusError(400, 'The form has no boundary.', { cause: error });
  }
}

interface Saving {
  file: Omit<SavedFile, 'bytes'>;
  folder: string;
  signal: AbortSignal;
  maxBytes: number;
}

async function saveFile(content: BusboyFileStream, { file, folder, signal, maxBytes }: Saving): Promise<SavedFile> {
  const target = path.join(folder, `${file.id}.part`);
  const written = createWriteStream(target, { flags: 'wx' });
  content.once('limit', () => written.destroy(new StatusError(413, `A file may have ${maxBytes} bytes.`)));
  try {
    await pipeline(content, written, { signal });
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return { ...file, bytes: written.bytesWritten };
}
