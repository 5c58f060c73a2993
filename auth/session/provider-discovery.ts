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

/** Gives the document of the provider, fetched once an hour. When it cannot be fetched then, the last one goes on. */
export async function discoveryOf(settings: Settings): Promise<DiscoveryDocument> {
  const shared = globalThis as { [KNOWN]?: Map<string, Known> }; // nobody else has this symbol
  const documents = (shared[KNOWN] ??= new Map());
  const { issuer } = settings;
  const now = getCurrentTimeInSeconds();
  const known = documents.get(issuer);
  if (known && now < known.until) return known.document;
  try {
    // Not the promise is kept but the document: on workerd a request cannot wait for what another one fetches.
    const document = await fetchDiscoveryAsync(issuer, settings);
    documents.set(issuer, { document, until: now + HOUR });
    return document;
  } catch (error) {
    if (!known) throw error;
    documents.set(issuer, { ...known, until: now + MINUTE });
    return known.document;
  }
}
