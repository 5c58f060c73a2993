import { abortReason } from './abort-reason.ts';
import type { CompletedAuthSessionResult } from './auth-session-result.ts';
import { refusal } from './check-answer.ts';
import { checkUrlIdToken } from './id-token.ts';
import type { UrlIdTokenExpectation } from './id-token.ts';

/**
 * Checks the id_token of an otherwise valid answer.
 *
 * @returns the unchanged result, or an `error` with the code `invalid_id_token`.
 */
export async function checkAnswerIdToken(
  result: CompletedAuthSessionResult,
  expected: UrlIdTokenExpectation,
): Promise<CompletedAuthSessionResult> {
  const { access_token: accessToken, code, id_token: idToken = '', state } = result.params;
  try {
    await checkUrlIdToken(idToken, { ...expected, accessToken, code, state });
    return result;
  } catch (error) {
    const { signal } = expected;
    if (signal?.aborted) throw abortReason(signal);
    const refused = refusal('invalid_id_token', (error as Error).message, result.params);
    refused.cause = error;
    return { ...result, type: 'error', authentication: null, error: refused, errorCode: refused.code };
  }
}
