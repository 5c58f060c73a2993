import { codedTypeError } from './coded-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

/** The endpoints by their names in a discovery document. */
type EndpointName = Exclude<keyof DiscoveryDocument, 'discoveryDocument'>;

/** The URL of a required endpoint. */
export function endpointOf<Name extends EndpointName>(discovery: Pick<DiscoveryDocument, Name>, name: Name): string {
  const url: string | undefined = discovery[name];
  if (url) return url;
  throw codedTypeError('ERR_AUTH_ARGUMENT', `The discovery document has no ${name}. Use a provider that has one.`);
}

// Not with URL, which differs in React Native. A local host must not be followed by anything that makes it part of
// another host.
const ANY = /^https?:\/\/[^\s/?#\\]/i;
const SECURE = /^https:|^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$)/i;

/**
 * Asserts that a URL may be opened or called: https, http on this machine, or any http if allowed. A provider may
 * write anything into its documents, such as a script that would run in the page of the app.
 *
 * @throws TypeError with code `ERR_AUTH_ENDPOINT`.
 */
export function assertEndpoint(
  url: unknown,
  name: string,
  { allowInsecureRequests }: { allowInsecureRequests?: boolean | undefined } = {},
): asserts url is string {
  if (typeof url === 'string' && ANY.test(url) && (allowInsecureRequests || SECURE.test(url))) return;
  throw codedTypeError(
    'ERR_AUTH_ENDPOINT',
    `${name} must be an absolute https URL. For development, give allowInsecureRequests.`,
  );
}
