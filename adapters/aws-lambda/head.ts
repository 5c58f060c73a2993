import { isFraming } from '../_http/framing.ts';
import type { LambdaHead } from './host-types.ts';

/** The head of a Response in the form that Lambda takes it. */
export function toHead({ status, headers }: Response): LambdaHead {
  const pairs = [...headers].filter(([name]) => name !== 'set-cookie' && !isFraming(name));
  return { statusCode: status, headers: Object.fromEntries(pairs), cookies: headers.getSetCookie() };
}
