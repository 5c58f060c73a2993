import { codedError } from './coded-error.ts';
import { statusesWithoutBody } from './status-error.ts';

/** One of the runtime's own short answers. */
export function textResponse(status: number, text: string, headers?: Record<string, string>): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain' } });
}

/**
 * Checks that what user code gave is a Response that can be sent, and makes it one of this realm.
 *
 * @param source – who gave it, for the message.
 * @throws TypeError when it cannot be sent.
 */
export function toNativeResponse(value: unknown, source: string): Response {
  if (!isResponse(value)) {
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${source} gave ${describe(value)} instead of a Response. Return new Response(…) or Response.json(…).`,
    );
  }
  if (value.status < 200 || value.status > 599) {
    // 0 is Response.error(). Bun (1.4) also makes Responses of 1xx, which end no request.
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${source} gave a Response of status ${value.status}. Give one from 200 to 599.`,
    );
  }
  if (statusesWithoutBody.includes(value.status) && value.body) {
    // Other platforms refuse to make one: Fetch, "initialize a response". Bun (1.4) makes it and sends what follows.
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${source} gave a Response of status ${value.status} with a body, which that status cannot have.`,
    );
  }
  if (value.bodyUsed) {
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${source} gave a Response whose body has already been read or sent. Make a new one for each request, or give its clone().`,
    );
  }
  if (value instanceof Response) return value;
  // Of another realm or a ponyfill: hosts accept their own class only.
  const { status, statusText, headers, body } = value as Response;
  return new Response(body, { status, statusText, headers: [...headers] });
}

// By tag, since a Response may come from another realm.
function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]';
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? `an object of type ${value.constructor?.name ?? 'Object'}` : `a ${typeof value}`;
}
