import { contract } from 'appkit-server/contract';
import { z } from 'zod';
import { readNames, sign } from '../../server/guestbook.ts';

const Names = z.object({ names: z.array(z.string()) });

export const GET = contract({ summary: 'Who has signed the guestbook', output: Names }, () => ({
  names: [...readNames()],
}));

/** Called only with a name that fits into the book: anything else is answered with 400 and the reason. */
export const POST = contract(
  {
    summary: 'Sign the guestbook',
    input: { body: z.object({ name: z.string().trim().min(1).max(40) }) },
    output: { 201: Names },
  },
  (_request, { body }) => {
    sign(body.name);
    return { names: [...readNames()] };
  },
);
