import { cancelUnread, readerOf } from '../../runtime/host.ts';
import { peek, toBytes } from '../_http/peek.ts';
import { whenDrained } from '../_http/when-drained.ts';
import { toHead } from './head.ts';
import type { LambdaGlobal, LambdaStream } from './host-types.ts';
import type { Sender } from './invocation.ts';

/** Sends a Response through Lambda's stream. */
export function createStreamSender(stream: LambdaStream, { HttpResponseStream }: LambdaGlobal): Sender<void> {
  const sender = {
    headSent: false,
    async send(response: Response, method: string): Promise<void> {
      const head = toHead(response);
      const sendHead = (): void => {
        HttpResponseStream.from(stream, head);
        sender.headSent = true;
        // The head is sent with the first write, and never without one:
        // https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/97
        stream.write(new Uint8Array());
      };
      if (response.body) await sendBody(response.body, { stream, sendHead, isHead: method === 'HEAD' });
      else sendHead();
      if (!stream.destroyed) stream.end();
    },
  };
  return sender;
}

interface Target {
  stream: LambdaStream;
  sendHead(): void;
  isHead: boolean;
}

async function sendBody(body: ReadableStream<Uint8Array>, { stream, sendHead, isHead }: Target): Promise<void> {
  const reader = readerOf(body);
  // If a source cannot be cancelled, that is the route's problem.
  const stop = (): void =>
    void cancelUnread(reader, new Error('The response stream was closed.')).catch(() => undefined);
  stream.once('close', stop);
  try {
    // Before the head, so that a body that fails at once becomes an error answer.
    const { whole, chunk = whole, next } = await peek(reader);
    if (!stream.destroyed) sendHead();
    if (isHead || stream.destroyed) return stop();
    if (chunk) await write(stream, chunk);
    for (let read = await next; !read.done && !stream.destroyed; read = await reader.read()) {
      await write(stream, toBytes(read.value));
    }
  } catch (error) {
    stop();
    throw error;
  } finally {
    stream.off('close', stop);
  }
}

async function write(stream: LambdaStream, chunk: Uint8Array): Promise<void> {
  if (!stream.destroyed && !stream.write(chunk)) await whenDrained(stream);
}
