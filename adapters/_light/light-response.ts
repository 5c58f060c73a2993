import * as workerThreads from 'node:worker_threads';
import { offerHasBody, offerMayBeTaken } from '../../runtime/host.ts';
import { PLAIN_VALUE, toHeaders, valueOf } from '../_http/header-list.ts';
import type { HeaderList } from '../_http/header-list.ts';
import { forwardMembers, isObject, replaceHeaders } from './light-members.ts';

// Why this is fast: building a native Response costs as much as the rest of a small exchange on node:http. Most
// Responses are a text or some bytes with a few plain headers, and go directly from the code that created them to the
// adapter. So this class only remembers its arguments, and the adapter writes them. It does not know the rules of
// Fetch: for arguments that may be invalid, and for code that asks for more than the head, it builds the native
// Response in the same call.

const Native = globalThis.Response;
type NativeBody = ConstructorParameters<typeof Native>[0];

/** The parts of a Response that can be sent as they are. */
export interface WholeResponse {
  status: number;
  statusText: string;
  /** Names in a list are in lower case. A Headers object if user code has accessed the headers. */
  headers: HeaderList | Headers;
  body: string | Uint8Array | null;
}

/**
 * Takes the parts of a Response to send it: `undefined` if it is not a light one, or if its body has been handed
 * elsewhere. This uses up the Response, like reading it.
 */
export let takeWholeResponse: (response: object) => WholeResponse | undefined;
/**
 * The approximate minimum size of a light Response's body, in bytes. `undefined` if its body has been handed elsewhere.
 */
export let lengthOfWhole: (response: object) => number | undefined;
let toNative: (response: object) => object;

class Light {
  #status = 200;
  #statusText = '';
  #list: string[] = [];
  #body: string | Uint8Array | null = null;
  /** Whether the body is still unchanged and only here. */
  #isWhole = true;
  #isSent = false;
  #headers: Headers | undefined;
  #native: Response | undefined;

  static {
    takeWholeResponse = (response) => (#native in response ? response.#takeWhole() : undefined);
    lengthOfWhole = (response) => (#native in response ? response.#lengthOfWhole() : undefined);
    offerHasBody((response) => #native in response && response.#isWhole && response.#body !== null);
    offerMayBeTaken((response) => !(#native in response && response.#isWhole));
    toNative = (response) => (isObject(response) && #native in response ? response.#toNative() : response);
  }

  static json(...args: [data?: unknown, init?: unknown]): Response {
    const light = new Light();
    const refused = light.#accept(args[1], true);
    if (refused) light.#delegate(Native.json(args[0], refused.init as ResponseInit));
    else {
      const text = JSON.stringify(args[0]) as string | undefined; // undefined for values without a JSON form
      if (text === undefined) return Reflect.apply(Native.json, Native, args.slice(0, 1)); // throws
      light.#setText(text, 'application/json');
    }
    return light as unknown as Response; // by its prototype
  }

  constructor(body: unknown = null, init?: unknown) {
    // Like native ones: otherwise structuredClone() would return an empty object. Not in Node 20.
    workerThreads.markAsUncloneable?.(this);
    const isText = typeof body === 'string';
    const refused = body === null || isText || isBytes(body) ? this.#accept(init, body !== null) : { init };
    if (refused) this.#delegate(new Native(body as NativeBody, refused.init as ResponseInit));
    else if (isText) this.#setText(body, 'text/plain;charset=UTF-8');
    else if (body !== null) this.#body = new Uint8Array(body as Uint8Array);
  }

  get status(): number {
    return this.#native?.status ?? this.#status;
  }

  get ok(): boolean {
    const status = this.#native?.status ?? this.#status; // not this.status, which user code may have hidden
    return status <= 299; // the constructor refuses those below 200
  }

  get statusText(): string {
    return this.#native?.statusText ?? this.#statusText;
  }

  get headers(): Headers {
    return (this.#headers ??= this.#native?.headers ?? toHeaders(this.#list));
  }

  get bodyUsed(): boolean {
    return this.#isSent || (this.#native?.bodyUsed ?? false);
  }

  // Remembers an init that is certainly valid. Otherwise returns the arguments for the native class: values that have been read are not read
  // again, since they may come from a getter.
  #accept(init: unknown, hasBody: boolean): { init: unknown } | undefined {
    if (init === undefined) return undefined;
    if (!isPlain(init)) return { init };
    // In the order in which Web IDL reads them: alphabetical.
    const { headers: given, status = 200, statusText = '' } = init;
    const headers = isPlain(given) ? { ...given } : given;
    const refused = { init: { headers, status, statusText } };
    if (!isFinal(status) || !isPhrase(statusText)) return refused;
    if (hasBody && (status === 204 || status === 205 || status === 304)) return refused;
    if (headers !== undefined && !appendPlain(this.#list, headers)) return refused;
    this.#status = status;
    this.#statusText = statusText;
    return undefined;
  }

  #setText(text: string, type: string): void {
    if (valueOf(this.#list, 'content-type') === undefined) this.#list.push('content-type', type);
    this.#body = text;
  }

  #delegate(native: Response): void {
    this.#isWhole = false;
    this.#native = native;
  }

  #lengthOfWhole(): number | undefined {
    return this.#isWhole && !this.#isSent ? (this.#body?.length ?? 0) : undefined;
  }

  #takeWhole(): WholeResponse | undefined {
    if (!this.#isWhole || this.#isSent) return undefined;
    this.#isSent = this.#body !== null;
    return {
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers ?? this.#list,
      body: this.#body,
    };
  }

  #toNative(): Response {
    this.#isWhole = false;
    if (this.#native) {
      if (this.#headers && this.#headers !== this.#native.headers) replaceHeaders(this.#native.headers, this.#headers);
      return this.#native;
    }
    const headers = (this.#headers ??= toHeaders(this.#list));
    this.#native = new Native(this.#body as NativeBody, {
      status: this.#status,
      statusText: this.#statusText,
      headers,
    });
    // The constructor added the type for a text, which user code had removed.
    if (!headers.has('content-type')) this.#native.headers.delete('content-type');
    // A sent body counts as read.
    if (this.#isSent) void this.#native.body?.cancel();
    return this.#native;
  }
}

forwardMembers(Light, Native, (light) => toNative(light));

/** For user code it is a `Response` in every respect that docs/guide/speed.md does not list. */
export const LightResponse: typeof Response = Light as unknown as typeof Response; // its members were just completed

function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function isBytes(value: unknown): value is Uint8Array {
  return (
    ArrayBuffer.isView(value) &&
    value instanceof Uint8Array &&
    // Nor the bytes of a transferred buffer.
    value.byteLength > 0 &&
    value.buffer instanceof ArrayBuffer &&
    !(value.buffer as { resizable?: boolean }).resizable
  );
}

function isFinal(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
}

function isPhrase(text: unknown): text is string {
  return typeof text === 'string' && /^[\t -~]*$/.test(text);
}

// Takes over a record of plain names and ASCII values. Anything else is left to the native constructor, which also
// decides whether it is invalid.
function appendPlain(list: string[], headers: unknown): boolean {
  if (!isPlain(headers) || Object.getOwnPropertySymbols(headers).length > 0) return false;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value !== 'string' || !/^[A-Za-z\d-]+$/.test(name) || !PLAIN_VALUE.test(value)) return false;
    const lowerCase = name.toLowerCase();
    if (valueOf(list, lowerCase) !== undefined) return false;
    list.push(lowerCase, value);
  }
  return true;
}
