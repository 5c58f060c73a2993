import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';

/** The headers of a request to a provider. */
export type Headers = Record<string, string> & {
  /** What the answer may be. */
  Accept?: string;
  /** The client credentials, or the token. */
  Authorization?: string;
  /** What the body is. */
  'Content-Type': string;
};

/** The base of all requests to a provider. */
export abstract class Request<T, B> {
  /** The options of the request. */
  protected readonly config: T;

  constructor(config: T) {
    this.config = config;
  }

  /** The parameters, by their names on the wire. */
  abstract getQueryBody(): Record<string, string>;

  /** The options of the request, with absent values as `undefined`. */
  abstract getRequestConfig(): T;

  /** Sends the request. */
  abstract performAsync(discovery: DiscoveryDocument, options?: SendOptions): Promise<B>;

  /** The headers it is sent with. */
  getHeaders(): Headers {
    return { 'Content-Type': 'application/x-www-form-urlencoded' };
  }
}
