import { handled } from './body-use.ts';
import type { BodyUse } from './body-use.ts';

// A route that begins to read a body and answers before it is there holds a promise that fails as soon as the client leaves. Left
// alone, it would end the process. To code of the app these classes are those of the platform.

/** The Request of the platform, whose promises may be left alone. */
export class HostRequest extends Request {}

/** The body of a Request, whose promises may be left alone. */
export class HostStream extends ReadableStream<Uint8Array> {}

class HostReader extends ReadableStreamDefaultReader<Uint8Array> {}

const use: unique symbol = Symbol('appkit.bodyUse');

interface Used {
  [use]?: BodyUse;
}

/** What is to become of the result of a member. */
type Finish = (result: unknown, given: BodyUse | undefined) => unknown;

const leave: Finish = (result, given) => {
  const promise = result as Promise<unknown>;
  return given ? given.read(promise) : handled(promise);
};
// An answer may be made of the stream while it is sent, so each failure is told.
const leaveHandled: Finish = (result) => handled(result as Promise<unknown>);

passForNative(HostRequest, Request);
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) finish(HostRequest, name, leave);
finish(HostRequest, 'clone', (result, given) => pass(HostRequest, result as object, given));
finish(HostRequest, 'body', (result, given) => {
  if (result === null || result instanceof HostStream) return result;
  given?.handOut();
  return pass(HostStream, result as object);
});

passForNative(HostStream, ReadableStream);
for (const name of ['cancel', 'pipeTo']) finish(HostStream, name, leaveHandled);
finish(HostStream, 'getReader', (result) =>
  result instanceof ReadableStreamDefaultReader ? pass(HostReader, result) : result,
);

passForNative(HostReader, ReadableStreamDefaultReader);
for (const name of ['cancel', 'read']) finish(HostReader, name, leaveHandled);

/**
 * Makes a Request of the platform one whose promises may be left alone. It stays the same object.
 *
 * @param given – learns which reads are under way. Default: nobody does.
 */
export function toHostRequest(request: Request, given?: BodyUse): Request {
  return pass(HostRequest, request, given);
}

/** Has code of the app see a class of ours as that of the platform which it extends. */
export function passForNative(own: { prototype: object }, native: object): void {
  Object.defineProperty(own.prototype, 'constructor', { value: native, writable: true, configurable: true });
}

function pass<T>(own: { prototype: T }, native: object, given?: BodyUse): T {
  const object = Object.setPrototypeOf(native, own.prototype as object) as T & Used;
  return given ? Object.defineProperty(object, use, { value: given }) : object;
}

/** Does something more with what a member of the platform's class gives. */
function finish(own: { prototype: object }, name: string, finished: Finish): void {
  const member = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(own.prototype), name);
  // Node 20 has no bytes().
  if (!member) return;
  const kind = member.get ? 'get' : 'value';
  const native = member[kind] as (...args: unknown[]) => unknown;
  const value = function (this: Used | undefined, ...args: unknown[]): unknown {
    return finished(Reflect.apply(native, this, args), this?.[use]);
  };
  Object.defineProperties(value, { name: { value: native.name }, length: { value: native.length } });
  Object.defineProperty(own.prototype, name, { ...member, [kind]: value });
}
