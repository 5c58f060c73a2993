/** Where Vite's own URLs are, so that none of them hides a URL of the app. */
export const VITE_BASE = '/_appkit/dev/vite/';
