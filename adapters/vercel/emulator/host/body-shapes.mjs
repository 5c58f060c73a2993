// What the platform may have done to a body before it calls the function, selected by the name in APPKIT_BODY_SHAPE.
import { Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parse as parseQuery } from 'node:querystring';
import { setImmediate } from 'node:timers/promises';

const shapes = {
  // Read, with its bytes next to it.
  async rawBody(request) {
    request.rawBody = await buffer(request);
  },

  // Read, with nothing left but what the helpers produce on access: https://vercel.com/docs/functions/runtimes/node-js
  async parsedBody(request) {
    const bytes = await buffer(request);
    Object.defineProperty(request, 'body', { get: () => parse(bytes, request.headers['content-type']) });
  },

  // Not read: the whole body is in the memory of the process, and no event announces it.
  async neverFlowing(request) {
    while (!request.complete) await setImmediate();
    request.resume = () => request;
    request.pause();
  },
};

/** Makes every server of this process call its listener with a body in that shape. */
export function giveBodiesAs(name) {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`Unknown shape of a body: ${name}.`);
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (event, ...args) {
    if (event !== 'request') return emit.call(this, event, ...args);
    shape(args[0]).then(() => emit.call(this, event, ...args));
    return true;
  };
}

function parse(bytes, type = 'text/plain') {
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString());
  if (type.startsWith('application/x-www-form-urlencoded')) return parseQuery(bytes.toString());
  if (type.startsWith('text/plain')) return bytes.toString();
  return type.startsWith('application/octet-stream') ? bytes : undefined;
}
