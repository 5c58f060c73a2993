import '../../../lib/shared/once/third.ts';
import { orderOf } from '../../../lib/shared/order.ts';
import '../../../lib/shared/once/second.ts';

/** The order in which these modules ran, for the other route. */
export function GET(): Response {
  return Response.json(orderOf('once'));
}
