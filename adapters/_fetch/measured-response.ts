import { offerMayBeTaken } from '../../runtime/host.ts';

// The bundles of appkit-build look here, see build/bundle/light-fetch.ts.
const key = Symbol.for('appkit.fetch');

/** What server build code means by `Request`, `Response` and `fetch`. */
type BoundFetch = Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'>;

const Native = globalThis.Response;
type Body = ConstructorParameters<typeof Native>[0];
// Copied from an object of the platform in two thirds of the time that names and values take.
const JSON_HEADERS = { headers: new Headers({ 'content-type': 'application/json' }) };

/**
 * The body length of a Response that server build code has created: for a text in characters, for bytes in bytes.
 * `undefined` for a stream.
 */
export let lengthOfMeasured: (response: Response) => number | undefined;
/** Whether the body of such a Response is a text. */
export let isMeasuredText: (response: Response) => boolean;
let hasStream: (response: Response) => boolean;

/** Stores what is known about a Response in private members of the Response itself. */
class Measured extends (function given(response: object) {
  return response;
} as unknown as new (response: object) => object) {
  readonly #length: number | undefined;
  readonly #isText: boolean;
  readonly #isStream: boolean;

  static {
    lengthOfMeasured = (response) => (#length in response ? response.#length : undefined);
    isMeasuredText = (response) => #length in response && response.#isText;
    // The body of a Response from fetch() is a stream, too.
    hasStream = (response) => (#length in response ? response.#isStream : response.url !== '');
  }

  constructor(response: Response, body: Body) {
    super(response);
    this.#length = lengthOf(body);
    this.#isText = typeof body === 'string';
    // A stream, or what platforms make one of, such as a generator.
    this.#isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  }
}

// A native Response does not tell how long its body is, but the code that compresses has to know: to find out whether a
// client accepts compression for a short answer, Bun and Deno read all headers of the request, which takes half as long
// as the rest of a small exchange. This function has the prototype of the native class, whose members libraries list,
// and creates native objects: a subclass would be told apart.
function construct(this: unknown, body: Body, init?: ResponseInit): Response {
  const target = (new.target as unknown) === MeasuredResponse ? Native : new.target;
  const response = Reflect.construct(Native, [body, init], target as unknown as typeof Native) as Response;
  return new Measured(response, body) as unknown as Response; // the same object
}
const MeasuredResponse = construct as unknown as typeof Native;
Object.setPrototypeOf(MeasuredResponse, Native);
Object.defineProperties(MeasuredResponse, {
  name: { value: 'Response' },
  prototype: { value: Native.prototype, writable: false },
  length: { value: 0 },
  json: { value: json, writable: true, configurable: true },
});

function json(data: unknown, init?: ResponseInit): Response {
  // The platform knows which headers, statuses and objects are errors. A copy does not have inherited members.
  if (init?.headers !== undefined || !mayHaveBody(init?.status) || !isPlain(init)) return Native.json(data, init);
  const text = JSON.stringify(data) as string | undefined; // undefined for values without a JSON form
  if (text === undefined) return Native.json(data, init); // throws
  return new MeasuredResponse(text, init ? { ...init, ...JSON_HEADERS } : JSON_HEADERS);
}

function lengthOf(body: Body): number | undefined {
  if (typeof body === 'string') return body.length;
  if (body === null || body === undefined) return 0;
  return ArrayBuffer.isView(body) || body instanceof ArrayBuffer ? body.byteLength : undefined;
}

function isPlain(init: unknown): boolean {
  if (init === undefined || init === null) return true;
  return typeof init === 'object' && Object.getPrototypeOf(init) === Object.prototype;
}

/** Whether a status is certain to allow a body. */
function mayHaveBody(status = 200): boolean {
  return status >= 200 && status <= 599 && status !== 204 && status !== 205 && status !== 304;
}

/**
 * Offers this class to the modules of a server build, which are loaded later and may look it up. No global is replaced.
 * A build with the option `strictFetch` does not look it up.
 */
export function offerMeasuredResponse(): void {
  offerMayBeTaken(hasStream);
  (globalThis as { [key]?: BoundFetch })[key] ??= bound;
}

// Accessors, since bundle code may replace a global, as tests and tracers do: the replacement then counts.
const bound: BoundFetch = {
  get Request() {
    return globalThis.Request;
  },
  set Request(value) {
    globalThis.Request = value;
  },
  get Response() {
    return globalThis.Response === Native ? MeasuredResponse : globalThis.Response;
  },
  set Response(value) {
    globalThis.Response = value;
  },
  get fetch() {
    return globalThis.fetch;
  },
  set fetch(value) {
    globalThis.fetch = value;
  },
};
