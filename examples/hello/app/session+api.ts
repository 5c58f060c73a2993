import { runTask, setResponseHeaders, StatusError } from 'appkit-server';
import { writeAuditLog } from '../server/audit-log.ts';
import { readJsonObject } from '../server/json-body.ts';
import { isSameSecret } from '../server/secret.ts';
import { clearSessionCookie, createSessionCookie, readSession } from '../server/session.ts';

/** GET /session: who is signed in. */
export function GET(request: Request): Response {
  return Response.json({ user: readSession(request)?.user ?? null }, { headers: { 'cache-control': 'no-store' } });
}

/** POST /session with { "user": "…", "password": "…" }: signs in. */
export async function POST(request: Request): Promise<Response> {
  const { user, password } = await readJsonObject(request);
  if (typeof user !== 'string' || !/^[\w .-]{1,40}$/.test(user))
    throw new StatusError(422, 'user must be a name of up to 40 characters.');
  if (typeof password !== 'string') throw new StatusError(422, 'password must be text.');

  const isRight = isSameSecret(password, process.env['HELLO_PASSWORD'] ?? 'hello');
  // Started now, in parallel with the answer, and kept alive until it ends, even when the answer is an error.
  runTask(() => writeAuditLog(isRight ? `${user} signed in` : `A wrong password was given for ${user}`));
  if (!isRight) throw new StatusError(401, 'The password is wrong.');

  setResponseHeaders((headers) => headers.append('set-cookie', createSessionCookie(user, request)));
  return Response.json({ user });
}

/** DELETE /session: signs out. */
export function DELETE(request: Request): Response {
  setResponseHeaders((headers) => headers.append('set-cookie', clearSessionCookie(request)));
  return new Response(null, { status: 204 });
}
