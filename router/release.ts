const STORE = 'appkit:release';

/**
 * Whether data come from another release than the client that has asked for them, so that its code may not fit. The document that is loaded then
 * brings the code of that release. When a cache still has the old one, the next answer is taken as it is: nothing is loaded in a circle.
 *
 * @param answered – the client that the server sends with its documents.
 * @param own – the client of this document.
 */
export function isOtherRelease(answered: string, own: string | undefined): boolean {
  if (own === undefined || answered === own) return false;
  try {
    if (sessionStorage.getItem(STORE) === answered) return false;
    sessionStorage.setItem(STORE, answered);
    return true;
  } catch {
    // Without a memory, nobody knows whether the document has been loaded for it before.
    return false;
  }
}
