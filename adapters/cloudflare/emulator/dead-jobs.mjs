/** Keeps the contents of the dead-letter queue, and passes them to the suite. */
export function withDeadJobs(handler) {
  return {
    ...handler,
    async fetch(request, env, context) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== '/dead-jobs') return handler.fetch(request, env, context);
      return Response.json(await env.CONFORMANCE_STORE.get(searchParams.get('id'), 'json'));
    },
    async queue(batch, env, context) {
      if (!batch.queue.endsWith('-dead-jobs')) return handler.queue(batch, env, context);
      for (const { body } of batch.messages) {
        const { id, dead } = body;
        await env.CONFORMANCE_STORE.put(id, JSON.stringify({ id, attempt: dead.attempts, error: dead.error }));
      }
    },
  };
}
