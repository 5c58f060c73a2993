/** The return URL of each request whose answer was signed, in the form of an unsigned answer. */
export const signedUrls: WeakMap<object, string> = new WeakMap();
