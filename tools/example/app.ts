import assert from 'node:assert/strict';

/** The example as hosted on one host, and the data that checks may use. */
export interface App {
  origin: string;
  /** Its `SESSION_SECRET`. */
  sessionSecret: string;
}

/** Named checks of the hosted example. A check fails by throwing. */
export type ExampleChecks = Record<string, (app: App) => Promise<void>>;

/** A fuse: an entry that takes this long is not written. */
const LIMIT_MS = 60_000;

/** Requests a path of the example. */
export function ask({ origin }: App, path: string, init?: RequestInit): Promise<Response> {
  return fetch(origin + path, { redirect: 'manual', ...init });
}

/** Sends JSON to a path of the example. */
export function sendJson(app: App, method: string, path: string, body: unknown): Promise<Response> {
  return ask(app, path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** Signs in and returns the response, whose `Set-Cookie` is the session. */
export function signIn(app: App, user: string, password: string = 'hello'): Promise<Response> {
  return sendJson(app, 'POST', '/session', { user, password });
}

/** The `Cookie` header a browser would send after this response. */
export function cookieOf(response: Response): string {
  const [cookie, ...more] = response.headers.getSetCookie();
  assert.ok(cookie !== undefined && more.length === 0, 'The response must set one cookie.');
  return cookie.split(';')[0] ?? '';
}

/** Waits until the audit log has an entry that matches. Tasks write it next to or after their response. */
export async function waitForAudit(app: App, entry: RegExp): Promise<void> {
  const headers = { cookie: cookieOf(await signIn(app, 'auditor')) };
  const deadline = Date.now() + LIMIT_MS;
  let log: string;
  do {
    log = await (await ask(app, '/admin/audit', { headers })).text();
    if (entry.test(log)) return;
  } while (Date.now() < deadline);
  throw new Error(`No entry of the audit log matched ${entry} within ${LIMIT_MS} ms. It is: ${log}`);
}
