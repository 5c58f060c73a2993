/** What the client is told of an error on the server. */
export interface GivenError {
  message: string;
  status: number;
}

/** The error that an `ErrorBoundary` is given for one on the server. */
export function toServerError({ message, status }: GivenError): Error & { status: number } {
  return Object.assign(new Error(message), { status });
}
