/**
 * Faults that an adapter could have. Each wraps the function that creates a handler, so that the handler is wrong in
 * one way. This file is copied into the packed appkit-server, between the adapters and the runtime.
 */
export const faults = {
  none: (createHandler) => createHandler,

  'loses the second Set-Cookie': changing((response) => {
    const [first] = response.headers.getSetCookie();
    if (first !== undefined) response.headers.set('set-cookie', first);
    return response;
  }),

  'buffers a stream': changing(async (response) => {
    if (response.body === null) return response;
    return new Response(await response.arrayBuffer(), response);
  }),

  'drops the last 100 bytes of a body': changing(async (response) => {
    if (response.body === null) return response;
    const bytes = await response.arrayBuffer();
    response.headers.delete('content-length');
    return new Response(bytes.slice(0, Math.max(0, bytes.byteLength - 100)), response);
  }),

  'leaks the context between two requests': (createHandler) => {
    let latest;
    globalThis[Symbol.for('appkit.requestContext')] = {
      run(context, callback, ...args) {
        latest = context;
        return callback(...args);
      },
      getStore: () => latest,
    };
    return createHandler;
  },

  'answers 200 for 405': changing((response) =>
    response.status === 405 ? new Response(response.body, { headers: response.headers }) : response,
  ),
};

function changing(change) {
  return (createHandler) =>
    (...args) => {
      const handler = createHandler(...args);
      return async (...request) => change(await handler(...request));
    };
}
