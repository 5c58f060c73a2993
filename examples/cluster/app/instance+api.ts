import { countRenders } from '../server/posts.ts';

/** Which process answered, and how many posts it has rendered. Each process has its own memory. */
export function GET(): Response {
  return Response.json({ process: process.pid, renders: countRenders() });
}
