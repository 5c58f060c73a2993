import { deferTask, StatusError } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';
import type { CookieOptions } from 'appkit-server/cookies';
import { query } from '../../lib/query.ts';
import { record } from '../../lib/signals.ts';

type Step =
  | ['get' | 'has', name: string]
  | ['getAll']
  | ['set', name: string, value: string, options?: CookieOptions]
  | ['delete', name: string];

/** Takes the steps of its body one after the other, and answers with their results and the request's scheme. */
export async function POST(request: Request): Promise<Response> {
  const steps = (await request.json()) as Step[];
  const results = steps.map(take);
  return Response.json({ results, scheme: new URL(request.url).protocol });
}

function take([what, ...given]: Step): unknown {
  const method = cookies()[what] as (...given: unknown[]) => unknown;
  try {
    return Reflect.apply(method, cookies(), given) ?? null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

/** Fails after setting a cookie. */
export function PUT(): never {
  cookies().set('failed', 'yes');
  throw new StatusError(409);
}

/** Sets a cookie in a deferred task. */
export function DELETE(request: Request): Response {
  const id = query(request, 'id');
  deferTask(() => record(`${id}-late`, `${String(cookies().get('a'))} ${String(take(['set', 'a', '2']))}`));
  return new Response('answered');
}
