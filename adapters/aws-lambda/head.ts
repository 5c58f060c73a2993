import { isFraming } from '../_http/framing.ts';
import type { WholeResponse } from '../_light/light-response.ts';
import type { LambdaHead } from './host-types.ts';

/** The head of a Response in the form that Lambda takes it. */
export function toHead({ status, headers }: Pick<WholeResponse, 'status' | 'headers'>): LambdaHead {
  const all = Array.isArray(headers) ? (headers as readonly string[]) : [...(headers as Headers)].flat();
  const pairs: [name: string, value: string][] = [];
  const cookies: string[] = [];
  for (let index = 0; index < all.length; index += 2) {
    const [name, value] = [all[index] as string, all[index + 1] as string];
    if (name === 'set-cookie') cookies.push(value);
    else if (!isFraming(name, status)) pairs.push([name, value]);
  }
  return { statusCode: status, headers: Object.fromEntries(pairs), cookies };
}
