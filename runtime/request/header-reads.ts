// An answer may be sent to another visitor only if everything that it was made from is the same for both. So in an app that keeps answers, the
// runtime notes which request headers its code reads.

/** Records which headers of a request the app has read. */
export class HeaderReads {
  readonly names: Set<string> = new Set<string>();
  /** All of them were read at once, as by `new Request(request)`. */
  isAll = false;
  /** Whether the reader is not app code. */
  isPaused = false;
  /** Called with each header that is read while the answer is being sent, `*` for all. */
  onLate: ((name: string) => void) | undefined;

  /** Records that a header was read, or all with `*`. */
  note(name: string): void {
    if (this.isPaused) return;
    this.onLate?.(name);
    if (name === '*') this.isAll = true;
    else this.names.add(name);
  }
}

/** The key of these notes on a request and on its headers. */
export const NOTED: unique symbol = Symbol('appkit.headerReads');

/** A request, or its headers, with notes. */
export interface Noted {
  [NOTED]?: HeaderReads;
}

/** The notes of a request, if it has any. */
export function headerReadsOf(request: object): HeaderReads | undefined {
  return (request as Noted)[NOTED];
}

/** Records that code has read all headers of a request without naming them. */
export function noteWholeRead(request: object): void {
  headerReadsOf(request)?.note('*');
}

/** Runs runtime code with a request, without recording reads. */
export function unnoticed<Result>(request: Request, run: () => Result): Result {
  const reads = headerReadsOf(request);
  if (!reads) return run();
  reads.isPaused = true;
  try {
    return run();
  } finally {
    reads.isPaused = false;
  }
}
