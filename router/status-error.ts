/** The part of a `StatusError` that the router uses. The class of appkit-server contains more than a client needs. */
export interface StatusError extends Error {
  status: number;
  /** The body of the answer: JSON text. */
  body: string;
}

const BRAND = Symbol.for('appkit.StatusError');

/** Makes an error that the server recognises as a `StatusError`. */
export function createStatusError(
  status: number,
  message: string,
  body: string = JSON.stringify({ error: message }),
): StatusError {
  const error = Object.assign(new Error(message), { name: 'StatusError', status, body });
  return Object.defineProperty(error, BRAND, { value: true });
}

/** Recognises a `StatusError` of any copy of appkit-server. */
export function isStatusError(error: unknown): error is StatusError {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, BRAND);
}
