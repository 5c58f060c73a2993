/** What the client is told of an error on the server. */
export interface GivenError {
  message: string;
  status: number;
}

/** The same of a layout or a page that has failed: its level, the outermost layout's being 0. */
export interface GivenFailure extends GivenError {
  level: number;
}

/** The error that an `ErrorBoundary` is given for one on the server. */
export function toServerError({ message, status }: GivenError): Error & { status: number } {
  return Object.assign(new Error(message), { status });
}
