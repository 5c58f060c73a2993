import { useEffect, useRef, useState } from 'react';
import { resolveDiscoveryAsync } from './discovery.ts';
import type { DiscoveryOptions } from './discovery.ts';
import type { DiscoveryDocument, IssuerOrDiscovery } from './provider-metadata.ts';

/** How a discovery document is fetched while a component is shown. */
export interface AutoDiscoveryOptions extends Pick<DiscoveryOptions, 'acceptIssuer' | 'allowInsecureRequests'> {
  /**
   * Called with a failure, and with a function that retries, such as for a button. Default: the failure is thrown in
   * the next rendering.
   */
  onError?: ((error: Error, retry: () => void) => void) | undefined;
}

/**
 * Fetches the discovery document of an issuer while a component is shown. A document is returned unchanged.
 *
 * A failure is thrown in the next rendering, for an error boundary to show. With `onError` it is reported there instead, and
 * the document stays null.
 *
 * @returns the document; null until it has been fetched.
 */
export function useAutoDiscovery(
  issuerOrDiscovery: IssuerOrDiscovery,
  { onError, ...options }: AutoDiscoveryOptions = {},
): DiscoveryDocument | null {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const latest = useRef({ onError, options });
  useEffect(() => {
    latest.current = { onError, options };
  });
  // Documents are written inline, so each rendering has a new object: only a changed issuer needs a fetch.
  const document = typeof issuerOrDiscovery === 'object' && issuerOrDiscovery !== null ? issuerOrDiscovery : null;
  const issuer = document === null ? issuerOrDiscovery : null;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (issuer === null) return undefined;
    let isCurrent = true;
    const retry = (): void => {
      if (isCurrent) setAttempt(attempt + 1);
    };
    resolveDiscoveryAsync(issuer, latest.current.options).then(
      (document) => isCurrent && setOutcome({ of: issuer, document }),
      (error: Error) => {
        if (!isCurrent) return;
        if (latest.current.onError) latest.current.onError(error, retry);
        else setOutcome({ of: issuer, error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [issuer, attempt]);
  if (document !== null) return document;
  // A document fetched for another issuer is never shown for this one.
  if (outcome?.of !== issuer) return null;
  if (outcome?.error) throw outcome.error;
  return outcome?.document ?? null;
}

interface Outcome {
  of: IssuerOrDiscovery;
  document?: DiscoveryDocument;
  error?: Error;
}
