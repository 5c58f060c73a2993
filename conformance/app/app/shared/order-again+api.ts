import '../../lib/shared/third.ts';
import { order } from '../../lib/shared/order.ts';
import '../../lib/shared/second.ts';

/** The order in which these modules ran, for this route or for another. */
export function GET(): Response {
  return Response.json(order);
}
