import { chooseCoding } from './accept-encoding.ts';
import { parseByteRange } from './byte-range.ts';
import { checkPreconditions, isRangeWanted } from './preconditions.ts';
import type { HeaderReader } from './preconditions.ts';
import { REVALIDATED } from './static-file.ts';
import type { FileForm, StaticFile } from './static-file.ts';

/** The request. */
export interface Question {
  method: string;
  header: HeaderReader;
}

/** The answer, decided before any byte of a file is read. */
export interface Decision {
  status: number;
  headers: Record<string, string>;
  /** A short text in place of a file. */
  text?: string;
  /** The part of a file to send, which ends before `end`. */
  part?: { form: FileForm; start: number; end: number };
}

/** Decides the answer to a request for a static file. */
export function decide({ method, header }: Question, file: StaticFile): Decision {
  if (!isRead(method)) return refuse(405, { allow: 'GET, HEAD' });
  const form = chooseForm(file, header('accept-encoding'));
  const validators = describe(file, form);
  const status = checkPreconditions(header, form);
  if (status === 412) return refuse(412, file.coded.length > 0 ? { vary: 'Accept-Encoding' } : {});
  if (status === 304) return { status, headers: validators };

  // A range has no meaning for HEAD (RFC 9110 section 14.2).
  const rangeHeader = method === 'GET' && isRangeWanted(header, form) ? header('range') : undefined;
  const range = rangeHeader === undefined ? undefined : parseByteRange(rangeHeader, form.size);
  if (range === 'unsatisfiable') return refuse(416, { 'content-range': `bytes */${form.size}` });
  const start = range?.first ?? 0;
  const end = range ? range.last + 1 : form.size;
  return {
    status: range ? 206 : 200,
    headers: {
      ...validators,
      'content-type': file.type,
      'accept-ranges': 'bytes',
      ...(form.coding && { 'content-encoding': form.coding }),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${form.size}` }),
      'content-length': String(end - start),
    },
    ...(method === 'GET' && { part: { form, start, end } }),
  };
}

/** Redirects to another path. */
export function redirect(location: string): Decision {
  // A browser keeps a 301 forever unless a header forbids it, and the folder may become a route later.
  return { status: 301, headers: { location, 'cache-control': REVALIDATED, 'content-length': '0' } };
}

/** Whether a method only reads. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** An answer without a file. Its text is the same as the runtime's. */
export function refuse(status: keyof typeof TEXTS, headers: Record<string, string> = {}): Decision {
  const text = TEXTS[status];
  return { status, headers: { ...headers, 'content-type': 'text/plain', 'content-length': String(text.length) }, text };
}

const TEXTS = {
  404: 'Not found',
  405: 'Method not allowed',
  412: 'Precondition failed',
  416: 'Range not satisfiable',
  500: 'Internal server error',
} as const;

function chooseForm(file: StaticFile, acceptEncoding: string | undefined): FileForm {
  if (file.coded.length === 0) return file;
  const codings = file.coded.flatMap(({ coding }) => coding ?? []);
  const coding = chooseCoding(acceptEncoding, codings);
  return file.coded.find((form) => form.coding === coding) ?? file;
}

function describe(file: StaticFile, form: FileForm): Record<string, string> {
  return {
    'cache-control': file.cacheControl,
    etag: form.etag,
    'last-modified': form.lastModified,
    // On the plain file too: otherwise a cache would send that to every client.
    ...(file.coded.length > 0 && { vary: 'Accept-Encoding' }),
  };
}
