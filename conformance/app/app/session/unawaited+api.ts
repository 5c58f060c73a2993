import { sessions } from '../../lib/sessions.ts';

/** Starts a session while the body is sent, which is too late, and does not await it. */
export function GET(): Response {
  const body = new ReadableStream({
    async start(controller) {
      // A turn of the event loop: the handler has returned.
      await new Promise((resolve) => setTimeout(resolve, 0));
      void sessions['newer']?.set({ user: 'late', visits: 0 });
      controller.close();
    },
  });
  return new Response(body);
}
