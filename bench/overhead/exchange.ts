import { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';

/** Passes a GET request to a `node:http` listener without a connection, and resolves when the listener has answered. */
export function exchange(
  url: string,
  headers: Record<string, string>,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<void> {
  // A socket that leads nowhere: only its existence matters.
  const request = new IncomingMessage(new net.Socket());
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  request.rawHeaders = Object.entries({ ...headers, host: '127.0.0.1' }).flat();
  request.headers = { ...headers, host: '127.0.0.1' };
  const response = new ServerResponse(request);
  return new Promise((resolve) => {
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      end(...args);
      response.emit('finish');
      response.emit('close');
      resolve();
      return response;
    }) as typeof end;
    listener(request, response);
  });
}
