import { setResponseHeaders } from 'appkit-server';
import { GET as fetched } from '../../../generic/fixture/routes/response/fetched.ts';

/** What the fixture answers, with a header of appkit. */
export function GET(request: Request): Promise<Response> {
  setResponseHeaders({ 'x-added': 'yes' });
  return fetched(request);
}
