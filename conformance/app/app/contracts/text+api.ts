import { contract } from 'appkit-server/contract';
import { z } from 'zod';

export const POST = contract({ input: { body: z.string() } }, (_request, { body }) => Response.json({ text: body }));
