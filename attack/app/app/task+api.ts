import { deferTask, runTask } from 'appkit-server';
import { counts } from '../lib/counts.ts';

/** Accepts two tasks: one that starts now, one after the answer. */
export function POST(request: Request): Response {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const count = async (name: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  runTask(() => count(`${token} run`));
  deferTask(() => count(`${token} deferred`));
  return new Response(`accepted ${token}`);
}

/** How many tasks ran once, and how many more than once. Tasks that were counted are forgotten. */
export function GET(): Response {
  const ran = [...counts];
  counts.clear();
  return Response.json({
    once: ran.filter(([, times]) => times === 1).map(([name]) => name),
    again: ran.filter(([, times]) => times > 1).map(([name]) => name),
  });
}
