import { assertEndpoint } from './endpoint.ts';
import { assertOk, parseJsonObject } from './read-answer.ts';
import type { Headers } from './request.ts';
import { send } from './send.ts';
import type { SendOptions } from './send.ts';

/** A request for {@link requestAsync}. */
export interface FetchRequest {
  /** Parameters: the form of a POST, the query of any other method. */
  body?: Record<string, string> | undefined;
  /** `json` parses the answer as JSON regardless of its media type. Default: according to the media type. */
  dataType?: string | undefined;
  /** {@link Headers}, for which a request without a body needs no `Content-Type`. */
  headers?: Headers | Record<string, string> | undefined;
  /** Default: `GET`. */
  method?: string | undefined;
}

/**
 * Sends any request to a provider and reads its answer.
 *
 * @returns the value of the JSON, otherwise the text.
 * @throws ResponseError when the status is not 2xx; SyntaxError for invalid JSON.
 */
export async function requestAsync<T>(
  requestUrl: string,
  fetchRequest: FetchRequest,
  options: SendOptions = {},
): Promise<T> {
  const { body = {}, dataType = '', headers = {}, method = 'GET' } = fetchRequest;
  assertEndpoint(requestUrl, 'requestUrl', options);
  const isPost = method.toUpperCase() === 'POST';
  const form = new URLSearchParams(body).toString();
  const answer = await send(
    isPost ? requestUrl : withQuery(requestUrl, form),
    { method, headers, endpoint: 'requestUrl', body: isPost ? () => form : undefined },
    options,
  );
  await assertOk(answer, body);
  const isJson = dataType.toLowerCase() === 'json' || /^application\/(?:[\w.-]+\+)?json$/.test(answer.contentType);
  // The caller declares the expected type.
  return (isJson ? (parseJsonObject(answer.text) ?? JSON.parse(answer.text)) : answer.text) as T;
}

/** Adds parameters to the query of a URL, and keeps the rest unchanged. */
export function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const [rest = '', fragment] = url.split('#', 2);
  const separator = !rest.includes('?') ? '?' : /[?&]$/.test(rest) ? '' : '&';
  return rest + separator + query + (fragment === undefined ? '' : `#${fragment}`);
}
