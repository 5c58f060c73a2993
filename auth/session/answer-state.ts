import { claimsOf } from './id-token-claims.ts';

/**
 * The state of an answer, which may be in a signed one (JARM). Nothing is checked here: it only selects the request that
 * this may answer.
 */
export function answerState({ response, state }: Record<string, string>): string | undefined {
  try {
    const found = state ?? (response === undefined ? undefined : claimsOf(response)['state']);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
