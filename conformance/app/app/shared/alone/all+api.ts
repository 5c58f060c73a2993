import '../../../lib/shared/alone/first.ts';
import '../../../lib/shared/alone/second.ts';
import { orderOf } from '../../../lib/shared/order.ts';
import '../../../lib/shared/alone/third.ts';

/** The order in which its imported modules ran, some of them for the other route. */
export function GET(): Response {
  return Response.json(orderOf('alone'));
}
