/** What the client receives about an error on the server. */
export interface GivenError {
  message: string;
  status: number;
}

/** The same for a layout or a page that has failed, with its level; the outermost layout has level 0. */
export interface GivenFailure extends GivenError {
  level: number;
}

/** The error that an `ErrorBoundary` receives for an error on the server. */
export function toServerError({ message, status }: GivenError): Error & { status: number } {
  return Object.assign(new Error(message), { status });
}
