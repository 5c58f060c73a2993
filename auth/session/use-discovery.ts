import { useEffect, useRef, useState } from 'react';
import { resolveDiscoveryAsync } from './discovery.ts';
import type { DiscoveryDocument, IssuerOrDiscovery } from './provider-metadata.ts';

/**
 * Fetches the discovery document of an issuer while a component is shown. A document is given back as it is.
 *
 * A failure is thrown in the next rendering, for an error boundary to show. With `onError` it is told there instead, and
 * the document stays null.
 *
 * @returns the document; null until it has been fetched.
 */
export function useAutoDiscovery(
  issuerOrDiscovery: IssuerOrDiscovery,
  { onError }: { onError?: ((error: Error) => void) | undefined } = {},
): DiscoveryDocument | null {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const latestOnError = useRef(onError);
  useEffect(() => {
    latestOnError.current = onError;
  });
  // Documents are written inline, so each rendering has a new object: only an issuer is a reason to do something.
  const document = typeof issuerOrDiscovery === 'object' && issuerOrDiscovery !== null ? issuerOrDiscovery : null;
  const issuer = document === null ? issuerOrDiscovery : null;
  useEffect(() => {
    if (issuer === null) return undefined;
    let isCurrent = true;
    resolveDiscoveryAsync(issuer).then(
      (document) => isCurrent && setOutcome({ of: issuer, document }),
      (error: Error) => {
        if (!isCurrent) return;
        if (latestOnError.current) latestOnError.current(error);
        else setOutcome({ of: issuer, error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [issuer]);
  if (document !== null) return document;
  // What was fetched for another issuer is never shown for this one.
  if (outcome?.of !== issuer) return null;
  if (outcome?.error) throw outcome.error;
  return outcome?.document ?? null;
}

interface Outcome {
  of: IssuerOrDiscovery;
  document?: DiscoveryDocument;
  error?: Error;
}
