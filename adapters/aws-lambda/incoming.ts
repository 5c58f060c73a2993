/** A request, whatever the payload format of its event. */
export interface Incoming {
  method: string;
  /** As in the visitor's URL, percent-encoded. */
  path: string;
  /** The part of the path in front of the app. */
  basePath: string;
  /** Without its question mark. */
  query: string | null | undefined;
  /** One value per name, in lower case. */
  headers: Readonly<Record<string, string | null | undefined>>;
  body: string | null | undefined;
  isBase64Encoded: boolean | null | undefined;
  requestId: string | undefined;
  /** The host name that was called. */
  domainName: string | undefined;
  /** @param proxies – how many proxies in front are trusted. */
  findClientAddress(proxies: number): string | undefined;
}
