import { describeError } from './error-descriptions.ts';

/** An error in the form of the authorization server (RFC 6749 sections 4.1.2.1 and 5.2). */
export interface ResponseErrorConfig {
  // oxlint-disable-next-line typescript/no-explicit-any -- a provider may add what it likes
  [name: string]: any;
  /** The code. */
  error: string;
  /** A text for the developer. */
  error_description?: string | undefined;
  /** A page about the error. */
  error_uri?: string | undefined;
}

/** An error of the authorization endpoint. */
export interface AuthErrorConfig extends ResponseErrorConfig {
  /** The state of the request, if it had one. */
  state?: string | undefined;
}

/**
 * The authorization server has answered with an error, or with something that cannot be used.
 *
 * `message` has the server's code, and never its text, which may contain anything and is in `description` and `params`.
 */
export class ResponseError extends Error {
  override name = 'ResponseError';
  /** The code of the standard or the server's own; `invalid_response` for an answer that cannot be used. */
  code: string;
  /** The server's text, otherwise ours for a code of the standard. */
  description?: string | undefined;
  /** For an answer that cannot be used, {@link UnusableAnswer}. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
  info?: any;
  /** The answer as it came. */
  params: Record<string, string>;
  /** A page about the error for people, if its URL is http or https. */
  uri?: string | undefined;

  /**
   * @param text – what is wrong, if the authorization server does not say it.
   * @param known – what its code means. Default: ours for a code of the standard.
   */
  constructor(params: ResponseErrorConfig, text?: string, known: string | undefined = describeError(params.error)) {
    const { error } = params;
    // A value that does not look like a code may be any text.
    const code = /^[a-z_]{1,40}$/.test(error) ? ` ${error}` : '';
    super(text ?? `The authorization server answered with the error${code}${known ? `: ${known}` : '.'}`);
    this.code = error;
    this.description = params.error_description ?? text ?? known;
    // An app may show it as a link, and a script there would run in its page.
    if (/^https?:/i.test(params.error_uri ?? '')) this.uri = params.error_uri;
    this.params = params;
  }
}

/** The authorization endpoint has answered with an error. */
export class AuthError extends ResponseError {
  override name = 'AuthError';
  /** The value of the answer. */
  state?: string | undefined;

  constructor(params: AuthErrorConfig) {
    super(params);
    this.state = params.state;
  }
}

/** The `info` of a {@link ResponseError} about an answer that cannot be used. */
export interface UnusableAnswer {
  /** The HTTP status; 0 for a redirect that a browser hides. */
  status: number;
  /** The media type, empty when none was sent. */
  contentType: string;
  /** The beginning of a text, or the names in an object, without contents of the request. */
  excerpt: string;
}
