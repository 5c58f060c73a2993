import { sessions } from '../../lib/sessions.ts';

type Params = { which: string };

function sessionOf({ which }: Params) {
  const session = sessions[which];
  if (!session) throw new Error(`There is no session ${which}.`);
  return session;
}

export async function GET(_request: Request, params: Params): Promise<Response> {
  return Response.json({ visitor: (await sessionOf(params).get()) ?? null });
}

export async function POST(request: Request, params: Params): Promise<Response> {
  const session = sessionOf(params);
  await session.set({ user: await request.text(), visits: 0 });
  return Response.json({ visitor: await session.get() });
}

export async function PUT(_request: Request, params: Params): Promise<Response> {
  const visitor = await sessionOf(params).update((data) => ({
    user: 'nobody',
    ...data,
    visits: (data?.visits ?? 0) + 1,
  }));
  return Response.json({ visitor });
}

export async function DELETE(_request: Request, params: Params): Promise<Response> {
  const session = sessionOf(params);
  session.destroy();
  return Response.json({ visitor: (await session.get()) ?? null });
}
