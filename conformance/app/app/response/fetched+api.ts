import { setResponseHeaders } from 'appkit-server';
import { GET as fetched } from '../../../generic/fixture/routes/response/fetched.ts';

/** The fixture's response, with an appkit header. */
export function GET(request: Request): Promise<Response> {
  setResponseHeaders({ 'x-added': 'yes' });
  return fetched(request);
}
