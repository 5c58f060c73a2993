import * as workerThreads from 'node:worker_threads';
import {
  HostRequest,
  READERS,
  createRequest,
  handled,
  noteWholeRead,
  offerQuickRequests,
  refuseBody,
  refuseChanges,
  toHostRequest,
  forgetListeners,
  toHostSignal,
  unreadableBody,
} from '../../runtime/host.ts';
import type { ErrorReporter, RequestInitOfHost } from '../../runtime/host.ts';
import { joinedValueOf, toHeaderList, toHeaders } from '../_http/header-list.ts';
import type { HeaderList } from '../_http/header-list.ts';
import { forwardMembers, isObject, replaceHeaders } from './light-members.ts';
import { answeredBody } from '../_node/request-body.ts';
import type { RequestBody } from '../_node/request-body.ts';

// Why this is fast: building a native Request with twenty headers takes as long as the exchange in node:http, and most
// routes read nothing from it, or only the URL and the body. This class keeps the strings as they arrived. It builds
// Headers when code asks for them, and a native Request when code asks for something that only the native class knows.

const Native = globalThis.Request;
const decoder = new TextDecoder();

/** The body of a request as middleware sees it. */
const UNREADABLE: RequestBody = { whole: refuseBody, forNative: unreadableBody };

/** A request as it arrived. */
export interface ArrivedRequest {
  method: string;
  /** The absolute URL, as the URL parser returns it. */
  url: string;
  headers: HeaderList;
  /** `null` for none. */
  body: RequestBody | null;
  /** Called with the error of a failing abort listener. Default: the platform reports it. */
  report?: ErrorReporter;
}

/** Creates the Request for a route. */
export let createLightRequest: (arrived: ArrivedRequest) => Request;
/** The native Request behind a light one; any other value unchanged. */
export let toNativeRequest: <T>(request: T) => T | Request;
/** Fires the request's signal: the client has left. */
export let signalDisconnect: (request: Request) => void;
/** Releases the connection. The body can no longer be read. */
export let releaseConnection: (request: Request) => void;

class Light {
  #method: string;
  #url: string;
  #arrived: HeaderList;
  #body: RequestBody | null;
  #report: ErrorReporter | undefined;
  #isRead = false;
  #hasLeft = false;
  #controller: AbortController | undefined;
  #headers: Headers | undefined;
  #native: Request | undefined;
  /** The original request, of which this is a view. */
  readonly #of: Light | undefined;

  static {
    createLightRequest = (arrived) => new Light(arrived) as unknown as Request; // by its prototype
    toNativeRequest = (request) => (isObject(request) && #native in request ? request.#toNativeRequest() : request);
    offerQuickRequests({
      header: (request, name) => (#native in request ? request.#header(name) : undefined),
      view: (request) => (#native in request ? request.#view() : undefined),
    });
    signalDisconnect = (request) => (#native in request ? request.#signalDisconnect() : undefined);
    releaseConnection = (request) => (#native in request ? request.#releaseConnection() : undefined);
  }

  constructor({ method, url, headers, body, report }: ArrivedRequest, of?: Light) {
    // Like native ones: otherwise structuredClone() would return an empty object. Not in Node 20.
    workerThreads.markAsUncloneable?.(this);
    this.#method = method;
    this.#url = url;
    this.#arrived = headers;
    this.#body = body;
    this.#report = report;
    this.#of = of;
  }

  get method(): string {
    return this.#method;
  }

  get url(): string {
    return this.#url;
  }

  get headers(): Headers {
    return (this.#headers ??= toHeaders(this.#arrived));
  }

  get signal(): AbortSignal {
    return this.#ownSignal();
  }

  get bodyUsed(): boolean {
    return this.#isRead || (this.#native?.bodyUsed ?? false);
  }

  text(): Promise<string> {
    return handled(Light.#text(this));
  }

  json(): Promise<unknown> {
    return handled(Light.#json(this));
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return handled(Light.#arrayBuffer(this));
  }

  clone(): Request {
    if (this.#of) return this.#of.clone();
    // Through our own signal: the source of a native clone's signal is lost at the next garbage collection.
    const { method, url, headers, body } = this.#toNativeRequest().clone();
    const init: RequestInitOfHost = { method, headers, body, signal: this.#ownSignal(), duplex: 'half' };
    return toHostRequest(createRequest(url, init), this.#report);
  }

  // Static, since a method called on something else must reject, not throw.
  static async #text(light: Light): Promise<string> {
    return decoder.decode(await light.#read());
  }

  static async #json(light: Light): Promise<unknown> {
    return JSON.parse(decoder.decode(await light.#read()));
  }

  static async #arrayBuffer(light: Light): Promise<ArrayBuffer> {
    return new Uint8Array(await light.#read()).buffer;
  }

  #header(name: string): string | null {
    return this.#headers ? this.#headers.get(name) : (joinedValueOf(this.#arrived, name) ?? null);
  }

  #view(): Request {
    // Code that has asked for the headers may have changed them.
    const headers = this.#headers ? toHeaderList(this.#headers) : this.#arrived;
    const arrived = { method: this.#method, url: this.#url, headers };
    const view =
      this.#body === null
        ? new View({ ...arrived, body: null }, this)
        : new BodyView({ ...arrived, body: UNREADABLE }, this);
    return view as unknown as Request; // by its prototype
  }

  // Reads the body without a stream in between.
  #read(): Promise<Uint8Array> {
    if (this.#native) return readNative(this.#native);
    if (this.#isRead) return Promise.reject(new TypeError('Body is unusable: Body has already been read'));
    if (this.#body === null) return Promise.resolve(new Uint8Array());
    this.#isRead = true;
    return this.#body.whole();
  }

  // The signal of a native Request would stop following once that Request is garbage collected (nodejs/undici#3644).
  #ownSignal(): AbortSignal {
    if (this.#of) return this.#of.#ownSignal();
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#hasLeft) this.#controller.abort();
    }
    const { signal } = this.#controller;
    return this.#report ? toHostSignal(signal, this as unknown as Request, this.#report) : signal;
  }

  #signalDisconnect(): void {
    this.#hasLeft = true;
    this.#controller?.abort();
  }

  // Code that keeps the request must not keep the message and its socket alive.
  #releaseConnection(): void {
    if (this.#body) this.#body = answeredBody;
    if (this.#controller) forgetListeners(this.#controller.signal);
    // Not its own member, which would make the signal ours first.
    if (this.#native) forgetListeners(Reflect.get(Native.prototype, 'signal', this.#native) as AbortSignal);
  }

  #toNativeRequest(): Request {
    noteWholeRead(this);
    // Not through public members, since user code may have hidden them.
    const headers = (this.#headers ??= toHeaders(this.#arrived));
    if (this.#native) {
      replaceHeaders(this.#native.headers, headers);
      return this.#native;
    }
    const method = this.#method;
    const signal = this.#ownSignal();
    const init: RequestInitOfHost = { method, headers, signal, duplex: 'half' };
    if (this.#body !== null) init.body = this.#isRead ? new Uint8Array() : this.#body.forNative();
    this.#native = toHostRequest(createRequest(this.#url, init), this.#report);
    if (this.#isRead) void this.#native.arrayBuffer();
    return this.#native;
  }
}

forwardMembers(Light, Native, (light) => toNativeRequest(light), HostRequest.prototype);

/** A light request that cannot be changed. */
class View extends Light {
  #seen: Headers | undefined;

  override get headers(): Headers {
    return (this.#seen ??= refuseChanges(super.headers));
  }
}

/** A request whose body is left to the route. */
class BodyView extends View {}

for (const name of READERS) Object.defineProperty(BodyView.prototype, name, { value: refuseBody });

/** The native class, with a constructor that also accepts a light request. */
export const LightRequest: typeof Request = new Proxy(Native, {
  construct: (target, args, newTarget) => Reflect.construct(target, withNative(args), newTarget),
});
// For code that copies a Request: new request.constructor(request).
for (const own of [Light, View, BodyView]) {
  Object.defineProperty(own.prototype, 'constructor', { value: LightRequest });
}

/** The arguments of `fetch` or of the constructor, with a request that these accept. */
export function withNative(args: readonly unknown[]): unknown[] {
  return args.map((value, index) => (index === 0 ? toNativeRequest(value) : value));
}

async function readNative(native: Request): Promise<Uint8Array> {
  return new Uint8Array(await native.arrayBuffer());
}
