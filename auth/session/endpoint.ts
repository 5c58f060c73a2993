import { codedTypeError } from './coded-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

/** The endpoints by their names in a discovery document. */
type EndpointName = Exclude<keyof DiscoveryDocument, 'discoveryDocument'>;

/** The URL of an endpoint, without which what is asked for cannot be done. */
export function endpointOf<Name extends EndpointName>(discovery: Pick<DiscoveryDocument, Name>, name: Name): string {
  const url: string | undefined = discovery[name];
  if (url) return url;
  throw codedTypeError('ERR_AUTH_ARGUMENT', `The discovery document has no ${name}. Give that of a provider with one.`);
}
