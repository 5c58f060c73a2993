import { countRenders } from '../server/posts.ts';

/** Which process has answered, and how many posts it has rendered. Each has its own memory. */
export function GET(): Response {
  return Response.json({ process: process.pid, renders: countRenders() });
}
