import '../../lib/shared/first.ts';
import '../../lib/shared/second.ts';
import { order } from '../../lib/shared/order.ts';
import '../../lib/shared/third.ts';

/** The order in which its imported modules ran. */
export function GET(): Response {
  return Response.json(order);
}
