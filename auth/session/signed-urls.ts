/** The URL of each request whose answer was signed, as it would be without the signature. */
export const signedUrls: WeakMap<object, string> = new WeakMap();
