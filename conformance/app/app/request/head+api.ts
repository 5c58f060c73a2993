import { origin } from 'appkit-server';
import { describeRequest } from '../../../generic/fixture/describe-request.ts';

/** Reports the same as the fixture, but with appkit's origin. */
export function GET(request: Request): Response {
  return Response.json({ ...describeRequest(request), origin: origin() });
}

export { GET as POST };
