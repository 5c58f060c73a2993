import { origin } from 'appkit-server';
import { describeRequest } from '../../../generic/fixture/describe-request.ts';

/** Says what the fixture says, but the origin as appkit knows it. */
export function GET(request: Request): Response {
  return Response.json({ ...describeRequest(request), origin: origin() });
}

export { GET as POST };
