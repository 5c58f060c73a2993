// Of an event, in which a body of bytes is Base64: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const EVENT_LIMIT = 6 * 1024 * 1024;

// Those of the connection; the platform has its own.
const hopByHop = ['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** What a Function URL and an HTTP API do differently. */
export const fronts = {
  functionUrl: {
    domainName: 'abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws',
    toRawPath: (path) => path,
  },
  // It decodes the path: https://github.com/honojs/hono/issues/2156. At a question mark that was encoded the path then ends:
  // https://github.com/middleapi/standard-server/pull/93
  httpApi: {
    domainName: 'abcdef0123.execute-api.eu-central-1.amazonaws.com',
    toRawPath: (path) => decode(path).split('?', 1)[0],
  },
};

/**
 * Makes the event of a request, in payload format 2.0, or gives `undefined` when it would be too large.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
 */
export async function toEvent(request, target, { domainName, toRawPath }) {
  if (Number(request.headers['content-length']) > EVENT_LIMIT) return undefined;
  const body = Buffer.concat(await request.toArray());
  const { cookies, headers } = toHeaders(request);
  const isBase64Encoded = !isText(request.headers['content-type']);
  const [path, rawQueryString = ''] = split(target);
  const rawPath = toRawPath(path);
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    cookies,
    headers,
    queryStringParameters: toParameters(rawQueryString),
    requestContext: {
      accountId: 'anonymous',
      apiId: domainName.split('.')[0],
      domainName,
      domainPrefix: domainName.split('.')[0],
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress,
        userAgent: request.headers['user-agent'],
      },
      requestId: crypto.randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: new Date().toISOString(),
      timeEpoch: Date.now(),
    },
    body: body.byteLength > 0 ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : undefined,
    isBase64Encoded: body.byteLength > 0 && isBase64Encoded,
  };
  return JSON.stringify(event).length > EVENT_LIMIT ? undefined : event;
}

function toHeaders({ headersDistinct, socket }) {
  const cookies = headersDistinct.cookie?.flatMap((line) => line.split(/;\s*/)).filter((cookie) => cookie !== '');
  const pairs = Object.entries(headersDistinct)
    .filter(([name]) => name !== 'cookie' && !hopByHop.includes(name))
    .map(([name, values]) => [name, values.join(',')]);
  const own = {
    'x-amzn-trace-id': 'Root=1-00000000-000000000000000000000000',
    'x-forwarded-for': socket.remoteAddress,
    'x-forwarded-port': String(socket.localPort),
    'x-forwarded-proto': 'http',
  };
  return { cookies, headers: Object.fromEntries([...pairs, ...Object.entries(own)]) };
}

function isText(type = '') {
  return /^(?:text\/|application\/(?:json|javascript|xml)\b)/i.test(type);
}

function split(target) {
  const mark = target.indexOf('?');
  return mark === -1 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
}

function toParameters(query) {
  const parameters = new URLSearchParams(query);
  if (parameters.size === 0) return undefined;
  return Object.fromEntries([...parameters.keys()].map((key) => [key, parameters.getAll(key).join(',')]));
}

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
