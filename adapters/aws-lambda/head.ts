import { CACHE_DEFAULT, isForCaches, saysCaching } from '../_http/cache-default.ts';
import { isFraming } from '../_http/framing.ts';
import { toHeaderPairs } from '../_http/header-list.ts';
import { assertHeaderValue } from '../_http/header-value.ts';
import type { WholeResponse } from '../_light/light-response.ts';
import type { LambdaHead } from './host-types.ts';

/**
 * The head of a Response in the form that Lambda accepts.
 *
 * @throws TypeError when a header cannot be sent.
 */
export function toHead({ status, headers }: Pick<WholeResponse, 'status' | 'headers'>): LambdaHead {
  const pairs: [name: string, value: string][] = [];
  const cookies: string[] = [];
  for (const pair of toHeaderPairs(headers)) {
    const [name, value] = pair;
    assertHeaderValue(name, value);
    if (name === 'set-cookie') cookies.push(value);
    else if (!isFraming(name, value, status)) pairs.push(pair);
  }
  if (isForCaches(status) && !pairs.some(([name]) => saysCaching(name))) pairs.push(['cache-control', CACHE_DEFAULT]);
  return { statusCode: status, headers: Object.fromEntries(pairs), cookies };
}
