import { fetchDiscoveryAsync } from './discovery.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { Settings } from './session-server-options.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

interface Known {
  document: DiscoveryDocument;
  until: number;
}

const HOUR = 3600;
const MINUTE = 60;
// Each route of a bundled app has its own copy of this module, and they share the documents.
const KNOWN = Symbol.for('appkit.auth.discovery');

/** Returns the provider's document: the given one, or the one of its issuer, fetched once per hour. If a fetch fails, the previous document stays in use. */
export async function discoveryOf(settings: Settings): Promise<DiscoveryDocument> {
  if (settings.discovery) return settings.discovery;
  const shared = globalThis as { [KNOWN]?: Map<string, Known> }; // only this module has this symbol
  const documents = (shared[KNOWN] ??= new Map());
  const { issuer } = settings;
  const now = getCurrentTimeInSeconds();
  const known = documents.get(issuer);
  if (known && now < known.until) return known.document;
  // The requests that come meanwhile do not ask as well, nor wait for a provider that is down. If this one ends early, as one may on workerd, another one
  // asks a minute later.
  if (known) documents.set(issuer, { ...known, until: now + MINUTE });
  try {
    // The document is cached, not the promise: on workerd, a request cannot wait for another request's fetch.
    const document = await fetchDiscoveryAsync(issuer, settings);
    documents.set(issuer, { document, until: now + HOUR });
    return document;
  } catch (error) {
    if (!known) throw error;
    return known.document;
  }
}
