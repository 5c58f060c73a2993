// The limit of an event, in which a body of bytes is Base64:
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const EVENT_LIMIT = 6 * 1024 * 1024;
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
const BALANCED_LIMIT = 1024 * 1024;

// These belong to the connection; the platform has its own.
const hopByHop = ['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** How each front that can call a function differs from the others. */
export const fronts = {
  functionUrl: {
    limit: EVENT_LIMIT,
    toEvent: toEvent2,
    domainName: 'abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws',
    toRawPath: (path) => path,
  },
  // It decodes the path: https://github.com/honojs/hono/issues/2156. At a question mark that was encoded the path then ends:
  // https://github.com/middleapi/standard-server/pull/93
  httpApi: {
    limit: EVENT_LIMIT,
    toEvent: toEvent2,
    domainName: 'abcdef0123.execute-api.eu-central-1.amazonaws.com',
    toRawPath: (path) => decode(path).split('?', 1)[0],
  },
  restApi: {
    limit: EVENT_LIMIT,
    // The BinaryMediaTypes of the template.
    isAllBinary: true,
    toEvent: toEvent1,
    // Your own domain, whose path has no stage.
    toContext: (path, sourceIp) => ({ path, stage: 'prod', domainName: 'api.example', identity: { sourceIp } }),
    toValues: (query) => group(new URLSearchParams(query)),
    // Names keep their letters: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
    nameHeader: (written) => written,
  },
  loadBalancer: {
    limit: BALANCED_LIMIT,
    toEvent: toEvent1,
    toContext: () => ({ elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:0:targetgroup/server/0' } }),
    // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
    toValues: (query) =>
      group(
        query
          .split('&')
          .filter((part) => part !== '')
          .map((part) => [part.split('=', 1)[0], part.includes('=') ? part.slice(part.indexOf('=') + 1) : '']),
      ),
    nameHeader: (written) => written.toLowerCase(),
  },
};

/** Creates the event for a request, or returns `undefined` if it would be too large. */
export async function toEvent(request, target, front) {
  if (Number(request.headers['content-length']) > front.limit) return undefined;
  const body = Buffer.concat(await request.toArray());
  const isBase64Encoded = front.isAllBinary || !isText(request.headers['content-type']);
  const sent = {
    body: body.byteLength > 0 ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : undefined,
    isBase64Encoded: body.byteLength > 0 && isBase64Encoded,
  };
  const event = { ...front.toEvent(request, split(target), front), ...sent };
  return JSON.stringify(event).length > front.limit ? undefined : event;
}

// Payload format 2.0: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
function toEvent2(request, [path, rawQueryString = ''], { domainName, toRawPath }) {
  const { cookies, headers } = toHeaders(request);
  const rawPath = toRawPath(path);
  return {
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
  };
}

// Payload format 1.0: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
function toEvent1(request, [path, query = ''], { nameHeader, toContext, toValues }) {
  const { rawHeaders, socket } = request;
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
  const own = toOwnHeaders(socket);
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded !== undefined) own['x-forwarded-for'] = `${forwarded}, ${own['x-forwarded-for']}`;
  const kept = pairs.filter(
    ([name]) => !hopByHop.includes(name.toLowerCase()) && !Object.hasOwn(own, name.toLowerCase()),
  );
  const values = toValues(query);
  return {
    resource: '/{proxy+}',
    httpMethod: request.method,
    path,
    multiValueHeaders: group([...kept.map(([name, value]) => [nameHeader(name), value]), ...Object.entries(own)]),
    multiValueQueryStringParameters: Object.keys(values).length === 0 ? null : values,
    requestContext: { requestId: crypto.randomUUID(), ...toContext(path, socket.remoteAddress) },
  };
}

function group(pairs) {
  const lists = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.map(([, value]) => value)]));
}

function toHeaders({ headersDistinct, socket }) {
  const cookies = headersDistinct.cookie?.flatMap((line) => line.split(/;\s*/)).filter((cookie) => cookie !== '');
  const pairs = Object.entries(headersDistinct)
    .filter(([name]) => name !== 'cookie' && !hopByHop.includes(name))
    .map(([name, values]) => [name, values.join(',')]);
  return { cookies, headers: Object.fromEntries([...pairs, ...Object.entries(toOwnHeaders(socket))]) };
}

function toOwnHeaders({ localPort, remoteAddress }) {
  return {
    'x-amzn-trace-id': 'Root=1-00000000-000000000000000000000000',
    'x-forwarded-for': remoteAddress,
    'x-forwarded-port': String(localPort),
    'x-forwarded-proto': 'http',
  };
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
