import { contract } from 'appkit-server/contract';
import { z } from 'zod';

const Lines = z.object({ line: z.union([z.string(), z.array(z.string())]) });

export const POST = contract({ input: { body: Lines }, output: Lines }, (_request, { body }) => body);

const Upload = z.object({ note: z.string(), file: z.instanceof(Blob) });

export const PUT = contract(
  { input: { body: Upload }, output: z.object({ note: z.string(), type: z.string(), text: z.string() }) },
  async (_request, { body: { note, file } }) => ({ note, type: file.type, text: await file.text() }),
);
