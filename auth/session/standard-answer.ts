import { codedTypeError } from './coded-error.ts';
import type { DiscoveryDocument, ProviderMetadata } from './provider-metadata.ts';
import { readFields, unusable } from './answer-fields.ts';
import type { Answer } from './send.ts';

/** How to read an answer that a standard defines. */
export interface StandardAnswer<T> {
  /** What the request held; none of it is repeated in an error. */
  sent: Record<string, string>;
  /** The status of the standard. Answers with another 2xx are accepted too. */
  status: 200 | 201;
  /** The check of oauth4webapi. */
  check: (response: Response) => Promise<T>;
}

/**
 * Reads an answer with the checks that oauth4webapi has for it.
 *
 * @throws TokenError when it contains `error`; ResponseError when it failed in another way or violates the standard.
 */
export async function readStandardAnswer<T>(answer: Answer, { sent, status, check }: StandardAnswer<T>): Promise<T> {
  readFields(answer, sent);
  const headers = { 'content-type': answer.contentType };
  try {
    return await check(new Response(answer.text, { status, headers }));
  } catch (error) {
    const cause = error as Error;
    // The library stores the answer there, with its tokens.
    delete cause.cause;
    // Its message names a member, never a value.
    const failure = unusable(`The answer does not follow the standard: ${cause.message}`, answer, sent);
    failure.cause = cause;
    throw failure;
  }
}

/** The server metadata that oauth4webapi needs to read its answer. */
export function serverOf(metadata: ProviderMetadata | undefined): { issuer: string } {
  return { issuer: metadata?.issuer ?? 'https://unknown.invalid' };
}

/** The endpoint of an extension, which a provider names in its metadata. */
export function extensionEndpoint(
  { discoveryDocument }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  name: string,
): string {
  const url = discoveryDocument?.[name];
  // Its value is checked where it is called.
  if (url) return url as string;
  throw codedTypeError(
    'ERR_AUTH_ARGUMENT',
    `The discoveryDocument has no ${name}: the provider does not support this, or the document was written without it.`,
  );
}
