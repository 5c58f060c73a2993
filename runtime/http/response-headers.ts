import { codedError } from './coded-error.ts';
import { surelyHasBody } from './quick-response.ts';
import { isUpgrade } from './responses.ts';
import { isPromise } from '../request/is-promise.ts';

/** The argument of `setResponseHeaders`. */
export type ResponseHeaders =
  | Record<string, string | readonly string[]>
  | Headers
  | ((headers: Headers) => Headers | void);

/** One recorded change to the headers of a response. */
export type HeaderChange = (headers: Headers) => void;

/** Checks the argument and turns it into changes, so that a mistake throws where it was made. */
export function toHeaderChange(given: ResponseHeaders): HeaderChange {
  if (typeof given === 'function') {
    return (headers) => {
      const returned: unknown = given(headers);
      if (returned === undefined || returned === headers) return;
      if (!isHeaders(returned)) {
        // Its rejection would be unhandled, which would end the process.
        if (isPromise(returned)) returned.then(undefined, () => undefined);
        throw codedError(
          'ERR_HEADERS_INVALID',
          'The callback of setResponseHeaders() returned neither a Headers nor nothing. Change the headers it is ' +
            'given, synchronously.',
        );
      }
      mergeHeaders(headers, returned);
    };
  }
  if (isHeaders(given)) {
    const copy = new Headers(given);
    return (headers) => mergeHeaders(headers, copy);
  }
  return recordChange(given);
}

function recordChange(given: Record<string, string | readonly string[]>): HeaderChange {
  const sets: [string, string][] = [];
  const appends: [string, string][] = [];
  const probe = new Headers();
  for (const [name, value] of Object.entries(given)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (one === undefined || one === null) {
        throw codedError(
          'ERR_HEADERS_INVALID',
          `setResponseHeaders() was given ${String(one)} as the value of "${name}". Leave the name out.`,
        );
      }
      // Header names and values are refused here, at the caller's line, by the platform's own rules.
      probe.append(name, String(one));
      (Array.isArray(value) ? appends : sets).push([name, String(one)]);
    }
  }
  return (headers) => {
    for (const [name, value] of sets) headers.set(name, value);
    for (const [name, value] of appends) headers.append(name, value);
  };
}

/**
 * The headers that every answer has unless it sets them itself. Cookies come before the answer's own: each is a separate header, and if two have
 * the same name, the later one counts.
 */
export function toDefaultHeaders(given: Record<string, string | readonly string[]>): HeaderChange {
  const defaults = Object.entries(given).map(([name, value]) => ({ name: name.toLowerCase(), values: [value].flat() }));
  return (headers) => {
    for (const { name, values } of defaults) {
      const cookies = name === 'set-cookie' ? headers.getSetCookie() : [];
      if (cookies.length > 0) headers.delete(name);
      else if (headers.has(name)) continue;
      for (const value of [...values, ...cookies]) headers.append(name, value);
    }
  };
}

/** Adds a name to `Vary`, unless it is already listed. */
export function toVaryChange(name: string): HeaderChange {
  return (headers) => {
    const known = (headers.get('vary') ?? '').toLowerCase().split(',');
    if (!known.some((one) => one.trim() === '*' || one.trim() === name.toLowerCase())) headers.append('vary', name);
  };
}

// The headers of a response before they were changed in place. See finishHeaders.
const originals = new WeakMap<Response, Headers>();

/** Applies the recorded changes to a response, if any.
 *
 * They are made in place if possible: a copy of a Response turns its body into a stream, which loses the length, and on Bun (1.4) the content
 * type of a string. But a route may keep a Response without a body in a constant and return it again for another
 * client. So its original headers are remembered, and the next answer with it starts from a copy of them.
 */
export function finishHeaders(response: Response, changes: readonly HeaderChange[] | undefined): Response {
  if (surelyHasBody(response)) return changeHeaders(response, changes);
  if (isUpgrade(response)) return changes ? changeHeaders(toChangeableUpgrade(response), changes) : response;
  const original = originals.get(response);
  if (!changes) return original ? copyWithHeaders(response, new Headers(original)) : response;

  const inPlace = !original && !isImmutable(response.headers);
  const headers = inPlace ? response.headers : new Headers(original ?? response.headers);
  if (inPlace) originals.set(response, new Headers(headers));
  for (const change of changes) change(headers);
  return inPlace ? response : copyWithHeaders(response, headers);
}

/** Changes the headers of a Response that is for one request alone. */
export function changeHeaders(response: Response, changes: readonly HeaderChange[] = []): Response {
  for (const change of changes) change(response.headers);
  return response;
}

/** A Response whose headers may be changed for one request. If a route may return it again, the first headers are remembered. */
export function toChangeable(response: Response): Response {
  if (surelyHasBody(response)) return response;
  if (isUpgrade(response)) return toChangeableUpgrade(response);
  const original = originals.get(response);
  if (original || isImmutable(response.headers)) {
    return copyWithHeaders(response, new Headers(original ?? response.headers));
  }
  originals.set(response, new Headers(response.headers));
  return response;
}

/**
 * Deno answers every upgrade with the same object and sends none of its headers: what middleware sets there is dropped, and not kept
 * for the next client.
 */
function toChangeableUpgrade(response: Response): Response {
  const { webSocket } = response as { webSocket?: unknown };
  if (webSocket) {
    return new Response(null, { status: 101, webSocket, headers: new Headers(response.headers) } as ResponseInit);
  }
  return Object.defineProperty(response, 'headers', { value: new Headers(), configurable: true });
}

function copyWithHeaders(response: Response, headers: Headers): Response {
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

// Response.redirect() and fetch() return immutable headers. Deleting a missing header changes nothing, or throws.
function isImmutable(headers: Headers): boolean {
  try {
    headers.delete('x-appkit-probe');
    return false;
  } catch {
    return true;
  }
}

function mergeHeaders(into: Headers, from: Headers): void {
  for (const [name, value] of from) {
    if (name === 'set-cookie') into.append(name, value);
    else into.set(name, value);
  }
}

// By tag, since a Headers of another realm or of a ponyfill works too.
function isHeaders(value: unknown): value is Headers {
  return Object.prototype.toString.call(value) === '[object Headers]';
}
