import '../../../lib/shared/once/first.ts';
import '../../../lib/shared/once/second.ts';
import { orderOf } from '../../../lib/shared/order.ts';
import '../../../lib/shared/once/third.ts';

/** The order in which its imported modules ran. */
export function GET(): Response {
  return Response.json(orderOf('once'));
}
