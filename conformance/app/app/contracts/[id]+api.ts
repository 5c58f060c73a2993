import { contract } from 'appkit-server/contract';
import { z } from 'zod';

const Saved = z.object({ id: z.number(), title: z.string() });

export const PUT = contract(
  {
    input: {
      path: z.object({ id: z.coerce.number().int() }),
      query: z.object({ draft: z.enum(['yes', 'no']).default('no'), tag: z.union([z.string(), z.array(z.string())]) }),
      headers: z.object({ 'x-version': z.literal('2') }),
      body: z.object({ title: z.string().min(1), lines: z.array(z.string()).default([]) }),
    },
  },
  (request, { path, query, headers, body }) =>
    Response.json({ path, query, version: headers['x-version'], body, method: request.method }),
);

export const POST = contract(
  {
    input: { path: z.object({ id: z.coerce.number() }), body: z.object({ title: z.string() }).optional() },
    output: { 201: Saved, 409: z.object({ error: z.string() }) },
  },
  (_request, { path: { id }, body }) => {
    if (body?.title === 'taken') return Response.json({ error: 'taken' }, { status: 409 });
    return Object.assign({ id, title: body?.title ?? 'untitled' }, { secret: 'of the server' });
  },
);

// Its output is wrong.
export const PATCH = contract({ output: Saved }, () => ({ id: 1, title: undefined }) as never);
