import { contract } from 'appkit-server/contract';
import { z } from 'zod';
import { session } from '../server/session.ts';

/** Answers the form of the page. It is a demo: check a password here, or let users sign in with a provider. */
export const POST = contract(
  { summary: 'Sign in', input: { body: z.object({ name: z.string().trim().min(1).max(40) }) } },
  async (_request, { body }) => {
    await session.set({ name: body.name });
    return new Response(null, { status: 303, headers: { location: '/members' } });
  },
);
