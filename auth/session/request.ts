import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';

/** The headers of a request to a provider. */
export type Headers = Record<string, string> & {
  /** What the answer may be. */
  Accept?: string;
  /** Who the client is, or the token. */
  Authorization?: string;
  /** What the body is. */
  'Content-Type': string;
};

/** What all requests to a provider have. */
export abstract class Request<T, B> {
  /** What the request was made of. */
  protected readonly config: T;

  constructor(config: T) {
    this.config = config;
  }

  /** The parameters, by their names on the wire. */
  abstract getQueryBody(): Record<string, string>;

  /** What the request was made of, absent values as `undefined`. */
  abstract getRequestConfig(): T;

  /** Sends the request. */
  abstract performAsync(discovery: DiscoveryDocument, options?: SendOptions): Promise<B>;

  /** The headers it is sent with. */
  getHeaders(): Headers {
    return { 'Content-Type': 'application/x-www-form-urlencoded' };
  }
}
