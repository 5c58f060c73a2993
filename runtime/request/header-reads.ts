// An answer may be given to somebody else only when it was made from nothing that the other one did not send too. So the runtime
// notes which request headers code of the app asks for, in an app that keeps answers at all.

/** Which headers of a request the app has asked for. */
export class HeaderReads {
  readonly names: Set<string> = new Set<string>();
  /** All of them were asked for at once, as by `new Request(request)`. */
  isAll = false;
  /** What asks is no code of the app. */
  isPaused = false;
  /** Called with what is asked for once the answer is on its way, `*` for all. It throws for what the answer may not depend on. */
  onLate: ((name: string) => void) | undefined;

  /** Notes that a header was asked for, or by `*` that all were. */
  note(name: string): void {
    if (this.isPaused) return;
    this.onLate?.(name);
    if (name === '*') this.isAll = true;
    else this.names.add(name);
  }
}

/** Where a request, and its headers, have what is noted of them. */
export const NOTED: unique symbol = Symbol('appkit.headerReads');

/** A request, or its headers, of which it is noted. */
export interface Noted {
  [NOTED]?: HeaderReads;
}

/** What has been noted of a request, if anything is. */
export function headerReadsOf(request: object): HeaderReads | undefined {
  return (request as Noted)[NOTED];
}

/** Notes that somebody has taken all headers of a request, in a way that tells no names. */
export function noteWholeRead(request: object): void {
  headerReadsOf(request)?.note('*');
}

/** Does something of the runtime's own with a request, of which nothing is noted. */
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
