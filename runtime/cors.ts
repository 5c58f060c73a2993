/** Lets pages of other origins read the answers of routes. */
import { codedError } from './http/coded-error.ts';
import { setResponseHeaders } from './helpers.ts';

/** What {@link cors} allows. */
export interface CorsOptions {
  /** The origins that may read the answers, such as `https://app.example` or `capacitor://localhost`, or `*` for any. */
  origins: readonly string[] | '*';
  /** The methods that they may use in addition to GET, HEAD and POST. Default: PUT, PATCH and DELETE. */
  methods?: readonly string[];
  /** The request headers that they may send in addition to the safelisted ones. Default: those that the browser asks for. */
  headers?: readonly string[];
  /** The response headers that their scripts may read in addition to the safelisted ones. Default: none. */
  exposedHeaders?: readonly string[];
  /** Let them send and receive cookies, which needs a list of origins. Default: `false`. */
  credentials?: boolean;
  /** For how many seconds a browser may cache the preflight answer. Default: 5, the browser's own. */
  maxAge?: number;
}

/**
 * Creates middleware that answers preflight requests and adds the CORS headers to every answer, errors included:
 * `export default cors({ origins: ['https://app.example'] })` in `app/api/+middleware.ts`.
 *
 * It decides who may read answers, not who may send requests.
 *
 * @throws TypeError if an option is wrong.
 * @see Fetch Standard, "CORS protocol"
 */
export function cors(options: CorsOptions): (request: Request) => Response | undefined {
  const { origins, credentials = false, exposedHeaders = [] } = options;
  checkOrigins(options);
  const known = origins === '*' ? undefined : new Set(origins);
  const common = {
    ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
    ...(exposedHeaders.length > 0 ? { 'access-control-expose-headers': exposedHeaders.join(', ') } : {}),
  };
  return (request) => {
    // The answer then does not depend on the origin, so caches may keep it.
    if (!known) setResponseHeaders({ ...common, 'access-control-allow-origin': '*' });
    else {
      const origin = request.headers.get('origin');
      setResponseHeaders((headers) => headers.append('vary', 'Origin'));
      if (origin !== null && known.has(origin)) {
        setResponseHeaders({ ...common, 'access-control-allow-origin': origin });
      }
    }
    return isPreflight(request) ? answerPreflight(request, options) : undefined;
  };
}

function checkOrigins({ origins, credentials }: CorsOptions): void {
  if (origins === '*') {
    if (!credentials) return;
    throw codedError(
      'ERR_OPTION_INVALID',
      'cors() has credentials for any origin, which browsers refuse. List the origins.',
    );
  }
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return;
  const fix = 'Write scheme, host and port as a browser sends them, such as "https://app.example".';
  throw codedError('ERR_OPTION_INVALID', `cors() lists ${JSON.stringify(wrong)}, which is not an origin. ${fix}`);
}

// The web views of apps and browser extensions have schemes of their own, for which the origin of a URL is "null".
function isOrigin(text: string): boolean {
  if (!/^https?:/i.test(text)) return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]+$/.test(text);
  return URL.canParse(text) && new URL(text).origin === text;
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

const METHODS = ['PUT', 'PATCH', 'DELETE'];

function answerPreflight(request: Request, { methods = METHODS, headers, maxAge }: CorsOptions): Response {
  const asked = request.headers.get('access-control-request-headers');
  const allowed = headers ? headers.join(', ') : (asked ?? '');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      ...(allowed === '' ? {} : { 'access-control-allow-headers': allowed }),
      ...(maxAge === undefined ? {} : { 'access-control-max-age': String(maxAge) }),
      vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  });
}
