import { reasonPhrase } from './reason-phrase.ts';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * An object of any type, such as an interface, which is not assignable to {@link JsonValue}. Not `{ cause }`, which belongs
 * into the options: the client would see it. Neither a function nor a Map or another class of the platform.
 */
type JsonObject = NoCause & (object | { readonly [key: string]: unknown });
interface NoCause {
  readonly cause?: never;
  readonly [Symbol.hasInstance]?: never;
  readonly [Symbol.toStringTag]?: never;
}

const brand = Symbol.for('appkit.StatusError');
/** The final statuses that never have content: RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. */
export const statusesWithoutBody: readonly number[] = [204, 205, 304];

/**
 * Throw it in a route or middleware to answer with that status and the JSON body `{"error": …}`.
 *
 * `throw new StatusError(404, 'No such book')` answers 404 with `{"error":"No such book"}`.
 */
export class StatusError extends Error {
  /** The HTTP status of the answer, 200 to 599. */
  readonly status: number;
  /** The body of the answer: JSON text. */
  readonly body: string;

  /**
   * @param status – the HTTP status, 200 to 599, of an answer that may carry a body.
   * @param message – the value of `error`: text, an Error's message, or any JSON value. An object that itself has the
   * key `error` is the whole body. Default: the standard phrase of the status, such as `Not Found`.
   * @param options – `cause` is the reason for the error; the client does not see it. With a cause, an error of status
   * 500 or more goes to `onError` of the adapter. Default: the message, if it is an Error.
   * @throws RangeError for a status out of range or without a body (204, 205, 304); TypeError for a message that JSON
   * cannot carry.
   * @see RFC 9110 section 15
   */
  constructor(status: number, message?: string | Error | JsonValue | JsonObject, options?: ErrorOptions) {
    if (!Number.isInteger(status) || status < 200 || status > 599 || statusesWithoutBody.includes(status)) {
      throw new RangeError(
        `StatusError cannot answer with status ${String(status)}. Give a whole number from 200 to 599 that may carry a ` +
          'body; for 204, 205 and 304 return a Response.',
      );
    }
    const error = message === undefined ? reasonPhrase(status) : isError(message) ? message.message : message;
    const body = toBody(error);
    super(
      typeof error === 'string' ? error : body,
      options?.cause === undefined && isError(message) ? { cause: message } : options,
    );
    this.name = 'StatusError';
    this.status = status;
    this.body = body;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Recognises a StatusError of any copy of this module. */
export function isStatusError(value: unknown): value is StatusError {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, brand);
}

/** Whether a StatusError is a server failure that must be reported: one with a cause. */
export function isCausedFailure({ status, cause }: StatusError): boolean {
  return status >= 500 && cause !== undefined;
}

/** The answer for a StatusError. */
export function statusErrorResponse(error: StatusError): Response {
  return new Response(error.body, {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

function toBody(error: JsonValue | JsonObject): string {
  const text = toJson(error);
  const whole = typeof error === 'object' && error !== null && !Array.isArray(error) && Object.hasOwn(error, 'error');
  return whole ? text : `{"error":${text}}`;
}

function toJson(value: unknown): string {
  const hint = 'The message of a StatusError must be a string, an Error or a value that JSON can carry.';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new TypeError(hint, { cause });
  }
  if (text === undefined) throw new TypeError(hint);
  return text;
}

// By tag, since an Error may come from another realm.
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
