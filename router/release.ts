const STORE = 'appkit:release';

/** Whether data come from another client than this document has. */
export function isOtherClient(answered: string, own: string | undefined): boolean {
  return own !== undefined && answered !== own;
}

/**
 * Whether data come from another release than the client that requested them, so that its code may not fit. The
 * document loaded next brings the code of that release. If a cache still has the old document, the next answer is used
 * as it is, so nothing loads in a loop.
 *
 * @param answered – the client that the server sends with its documents.
 * @param own – the client of this document.
 */
export function isOtherRelease(answered: string, own: string | undefined): boolean {
  if (!isOtherClient(answered, own)) return false;
  try {
    if (sessionStorage.getItem(STORE) === answered) return false;
    sessionStorage.setItem(STORE, answered);
    return true;
  } catch {
    // Without storage, it is not known whether the document was already loaded for this release.
    return false;
  }
}
