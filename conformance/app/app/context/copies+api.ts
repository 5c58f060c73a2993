import { origin, StatusError } from 'appkit-server';
import * as copy from 'appkit-server-copy';

/** Uses two copies of appkit-server, neither of which is the adapter's. */
export function GET(): Response {
  copy.setResponseHeaders({ 'x-copy': 'yes' });
  return Response.json({ same: copy.StatusError === StatusError, origin: [origin(), copy.origin()] });
}

export function POST(): Response {
  throw new copy.StatusError(418, 'thrown by the other copy');
}
