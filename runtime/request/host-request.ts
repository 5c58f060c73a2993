import { handled } from './body-use.ts';
import type { BodyUse } from './body-use.ts';
import type { ErrorReporter } from './error-report.ts';
import { toHostSignal } from './host-signal.ts';

// If a route begins to read a body and answers before it has arrived, the promise fails as soon as the client leaves. Unhandled, it would end the
// process. To code of the app, these classes look like those of the platform.

/** The platform's Request, with promises that may be left unhandled. */
export class HostRequest extends Request {}

/** The body of a Request, with promises that may be left unhandled. */
export class HostStream extends ReadableStream<Uint8Array> {}

class HostReader extends ReadableStreamDefaultReader<Uint8Array> {}

const use: unique symbol = Symbol('appkit.bodyUse');
const reporter: unique symbol = Symbol('appkit.reporter');

interface Used {
  [use]?: BodyUse;
  [reporter]?: ErrorReporter | undefined;
}

/** A function applied to the result of a member. */
type Finish = (result: unknown, given: BodyUse | undefined, self: Used) => unknown;

const leave: Finish = (result, given) => {
  const promise = result as Promise<unknown>;
  return given ? given.read(promise) : handled(promise);
};
// The stream may be the body of an answer being sent, so each failure is reported.
const leaveHandled: Finish = (result) => handled(result as Promise<unknown>);

passForNative(HostRequest, Request);
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) finish(HostRequest, name, leave);
finish(HostRequest, 'clone', (result, given, self) => toHostRequest(result as Request, self[reporter], given));
finish(HostRequest, 'signal', (result, _, self) =>
  self[reporter] ? toHostSignal(result as AbortSignal, self as Request, self[reporter]) : result,
);
finish(HostRequest, 'body', (result, given) => {
  if (result === null || result instanceof HostStream) return result;
  const stream = pass(HostStream, result as object);
  given?.handOut(stream);
  return stream;
});

passForNative(HostStream, ReadableStream);
for (const name of ['cancel', 'pipeTo']) finish(HostStream, name, leaveHandled);
finish(HostStream, 'getReader', (result) =>
  result instanceof ReadableStreamDefaultReader ? pass(HostReader, result) : result,
);

passForNative(HostReader, ReadableStreamDefaultReader);
for (const name of ['cancel', 'read']) finish(HostReader, name, leaveHandled);

/**
 * Changes a platform Request so that its promises may be left unhandled and listeners of its signal may fail. It stays the same object.
 *
 * @param report – called with the error of a listener that fails. Default: the platform reports it.
 * @param given – notified of the reads in progress. Default: nothing.
 */
export function toHostRequest(request: Request, report?: ErrorReporter, given?: BodyUse): Request {
  const own: Request & Used = pass(HostRequest, request, given);
  own[reporter] = report;
  return own;
}

/** The function that receives the errors of a request's listeners, if it has one. */
export function reporterOf(request: Request): ErrorReporter | undefined {
  return (request as Used)[reporter];
}

/** Makes one of our classes look to app code like the platform's class that it extends. */
export function passForNative(own: { prototype: object }, native: object): void {
  Object.defineProperty(own.prototype, 'constructor', { value: native, writable: true, configurable: true });
}

function pass<T>(own: { prototype: T }, native: object, given?: BodyUse): T {
  const object = Object.setPrototypeOf(native, own.prototype as object) as T & Used;
  return given ? Object.defineProperty(object, use, { value: given }) : object;
}

/** Wraps a member of the platform's class to process its result. */
function finish(own: { prototype: object }, name: string, finished: Finish): void {
  const member = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(own.prototype), name);
  // Node 20 does not have bytes().
  if (!member) return;
  const kind = member.get ? 'get' : 'value';
  const native = member[kind] as (...args: unknown[]) => unknown;
  const value = function (this: Used | undefined, ...args: unknown[]): unknown {
    const result = Reflect.apply(native, this, args);
    return this ? finished(result, this[use], this) : result;
  };
  Object.defineProperties(value, { name: { value: native.name }, length: { value: native.length } });
  Object.defineProperty(own.prototype, name, { ...member, [kind]: value });
}
