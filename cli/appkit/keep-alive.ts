/**
 * How long a server keeps a quiet connection, in milliseconds: longer than the minute for which proxies keep one. Whichever of the
 * two closes it first may cut off a request of the other.
 */
export const KEEP_ALIVE_MS = 65_000;
