import '../../../lib/shared/alone/third.ts';
import { orderOf } from '../../../lib/shared/order.ts';
import '../../../lib/shared/alone/second.ts';

/** The order in which its imported modules ran. */
export function GET(): Response {
  return Response.json(orderOf('alone'));
}
