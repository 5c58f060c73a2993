import { isUpgrade, readerOf, streamOf } from '../../runtime/host.ts';

/**
 * The same response, whose stream tells of its failure. A host that is given a Response reads the stream itself, and
 * only breaks the connection off when it fails. What fetch() has given stays as it is: the host passes it on faster than
 * code, and knows its length.
 *
 * @param onFailure – called with what a read has rejected with.
 */
export function toTelling(response: Response, onFailure: (error: unknown) => void): Response {
  if (isUpgrade(response)) return response;
  const source = streamOf(response);
  // An answer of fetchRoute() has a URL of its own, and is a stream of the app.
  if (!source || (response.url !== '' && !Object.hasOwn(response, 'url'))) return response;
  const reader = readerOf(source);
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          if (!isCancelled) onFailure(error);
          throw error;
        });
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    // The source is not read before the host reads.
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
