import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator, Gap, Lack } from '../../conformance/emulator.ts';

const docs = 'https://docs.aws.amazon.com';
const limits = `${docs}/lambda/latest/dg/gettingstarted-limits.html`;
const payload = `${docs}/lambda/latest/dg/urls-invocation.html#urls-payloads`;
const streaming = `${docs}/lambda/latest/dg/configuration-response-streaming.html`;
const environment = `${docs}/lambda/latest/dg/lambda-runtime-environment.html`;

const gaps: readonly Gap[] = [
  ...gapsOf('A function is called with an event, which holds the whole body.', payload, {
    'hands the body on before all of it has arrived': 'time-out',
    'answers while the request is still arriving': 'time-out',
    'holds an upload back while nobody reads it': 'time-out',
    'answers after the route has cancelled the body': 'time-out',
    'rejects the body when the client leaves in the middle of it': 'time-out',
    'answers 413 without waiting for the body': 'time-out',
  }),
  ...gapsOf('An event has 6 MB at most, about 4.5 MB of bytes.', limits, {
    'gives a 10 MB body whole': /EPIPE|ECONNRESET|expected 413 to be 200/,
    'streams a 10 MB body': /EPIPE|ECONNRESET|expected 413 to be 200/,
  }),
  ...gapsOf('A function is not told that the client has left, and runs on.', streaming, {
    'aborts the signal when the client leaves before the response': 'time-out',
    'tells onError of abort listeners that fail, and goes on': 'time-out',
    'cancels a response that comes after the client has left': 'time-out',
    'cancels the stream and aborts the signal when the client leaves': 'time-out',
    'aborts a signal whose Request has been collected': 'time-out',
    'ends a source that waits for its next event when the client leaves': 'time-out',
  }),
  ...gapsOf('An answer has a status code and no status text.', payload, {
    'sends the status text of the Response': /to deeply equal \[ 299, 'Mostly Fine' \]/,
  }),
  ...gapsOf('AWS sets X-Forwarded-Proto itself, whatever a proxy in front of it has sent.', payload, {
    'takes scheme and host from a trusted proxy': /expected 'http:\/\/shop\.example at/,
    'takes only the scheme when the proxy says no more': /expected 'http:\/\/127/,
    'believes only the last entry of one trusted proxy': /expected 'http:\/\/shop\.example at/,
    'believes the entry that the outermost of two trusted proxies added': /expected 'http:\/\/shop\.example at/,
  }),
];

// Of payload format 2.0.
const joinedGaps = [
  ...gapsOf('AWS joins the lines of one header by a comma without a space.', payload, {
    'joins header lines of one name': /to deep equally contain \[ 'x-list', 'a, b, c' \]/,
  }),
  ...gapsOf(
    'A Function URL leaves one entry of X-Forwarded-For, which a client may have written, so CloudFront-Viewer-Address is read instead.',
    'https://speedrun.nobackspacecrew.com/blog/2026/03/06/obtaining-caller-ip-address-with-lambda-furls.html',
    {
      'tells a fetch the address that a trusted proxy has added': /clientAddress: '127\.0\.0\.1'/,
      'tells a route the address that a trusted proxy has added': /\{ address: '127\.0\.0\.1' \}/,
    },
  ),
];

const streamingGaps = [
  ...gapsOf(
    'A stream has no length: the Content-Length of a function is renamed to X-Amzn-Remapped-Content-Length.',
    'https://github.com/cargo-lambda/cargo-lambda/issues/862',
    {
      'sends a string with its type and length': /expected null to be '6'/,
      'sends JSON with its length': /expected \+0 to be 17/,
      'sends bytes as they are, with their length': /expected null to be '256'/,
      'sends an empty string with length 0': /expected null to be '0'/,
      'sends a StatusError with its length': /expected 'chunked' to be 'content-length'/,
      'gives HEAD the content-length of GET': /expected \+0 to be \d+/,
      'answers HEAD with the content-length its handler gives': /expected null to be '11'/,
      "keeps a route's own content-length on a stream": /expected 'chunked' to be 'content-length'/,
      'sends a part of a file': /'bytes 2-4\/10', null,/,
      'sends the end of a file': /'bytes 7-9\/10', null,/,
      'answers HEAD of a file as GET, without the file': /to include '10'/,
      'does not look at the range of HEAD': /expected \[ 200, null \]/,
    },
  ),
  ...gapsOf(
    'Lambda sends the head with the first bytes.',
    'https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/94',
    {
      'sends the head before the first part of a stream': 'time-out',
    },
  ),
];

const uncodedGaps = gapsOf(
  'A streaming Function URL decodes answers with a Content-Encoding, so none is compressed. CloudFront compresses the assets.',
  'https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/96',
  {
    'sends a file in brotli': /expected null to be 'br'/,
    'sends a file in Zstandard': /expected null to be 'zstd'/,
    'sends a file in gzip': /expected null to be 'gzip'/,
    'looks at the weights of Accept-Encoding': /to deeply equal \[ 'gzip', 'gzip'/,
    'has an ETag for each coding of a file': /to be 4/,
    'answers HEAD with the length of the coded file': /to deeply equal/,
  },
);

const bufferedGaps = [
  ...gapsOf(
    'An API of API Gateway, or a load balancer, accepts complete answers only.',
    `${docs}/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html`,
    {
      'sends the first part of a stream before the stream ends': 'time-out',
      'sends the head before the first part of a stream': 'time-out',
      'breaks the connection off when a stream fails': 'time-out',
      'asks a stream for no more than a slow client takes': /expected 67108864 to be less than/,
      'makes no more events than a slow client takes': /expected 67043328 to be less than/,
      'sends an event before the next one is made': 'time-out',
      'sends comments while there is no event': 'time-out',
      'sends streams side by side': 'time-out',
      'sends the first part of a page before the last one is there': 'time-out',
      'streams a page whose loader returned a promise': 'time-out',
      'streams the data of a promise after those that are there': 'time-out',
      'cancels a compressed stream when the client leaves': 'time-out',
      'sends a compressed stream part by part': 'time-out',
      'breaks off a compressed stream that fails': 'time-out',
      'sends events one by one to a browser': 'time-out',
      'streams the body of an answer that goes through middleware': 'time-out',
    },
  ),
  ...gapsOf('An answer that is not streamed has 6 MB at most.', limits, {
    'sends a 16 MiB stream whole': /expected '[\da-f]+…?' to be/,
  }),
  ...gapsOf('Lambda freezes a function that has returned its answer, so the tasks come first.', environment, {
    'does not delay the response by a task': 'time-out',
    'runs what a fetch gives to waitUntil, and does not wait for it': 'time-out',
  }),
];

const decodedPathGaps = gapsOf(
  'An HTTP API decodes the path, so an encoded slash looks like any other.',
  'https://github.com/honojs/hono/issues/2156',
  {
    'passes a path on that names nothing or is malformed': /expected { method: 'GET', path: '\/%25zz' }/,
    'serves files of odd names': /'what\?\.txt', 404,/,
    'keeps the percent-encoding of the URL': /to be 'http:\/\/[\d.]+:\d+\/request\/%68ead/,
    'keeps an encoded slash inside its parameter': /expected \{ first: 'a', second: 'b' \}/,
    'does not take an encoded slash for a separator': /expected 'routing\/static\/\[param\]' to be 'none'/,
    'is not evaded by percent-encoding': /expected false to be true/,
    'answers 400 to malformed percent-encoding in a path': /'\/params\/%zz', 200,/,
    'answers a page with a malformed path by 400': /expected 200 to be 400/,
    'adds the headers of the config to 400, 404, 405 and 500': /'\/%zz', 200,/,
    'encodes a parameter in the destination': /\[ 307, '\/rest\/a\/b' \]/,
    'fills a rest into the destination, segment by segment': /\[ 307, '\/rest\/a\/b\/c\/d' \]/,
    'redirects to another origin that the config names': /\[ 307, '\/rest\/away\/a\/b\?c=d' \]/,
    'redirects to no origin that a request names': /\[ '\.\.%2F%2Fevil\.example', 404,/,
    'answers 400, not a redirect, to malformed percent-encoding': /\[ 307, '\/params\/%25zz' \]/,
    'keeps a parameter of a rewrite in its segment': /to deeply equal \{ route: 'params\/\[value\]'/,
  },
);

// An event does not say whether a parameter has a value, nor the order of different parameters.
const listedQueryGaps = gapsOf(
  'A load balancer lists the parameters of a query by name, each with a value.',
  'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html',
  {
    'keeps the query across a redirect': /'\/params\/7\?a=1&a=&b=%20\+'/,
    'passes a path on that names nothing or is malformed': /path: '\/\?q=%zz&q='/,
  },
);

const decodedQueryGaps = gapsOf(
  'A REST API decodes the parameters of a query, which are encoded again.',
  `${docs}/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html`,
  {
    'keeps the query across a redirect': /'\/params\/7\?a=1&a=&b=%20%20'/,
    'keeps the percent-encoding of the URL': /to be 'http:\/\/[\d.]+:\d+\/request\/%68ead/,
    'keeps malformed percent-encoding in the query': /expected '\?q=%25zz'/,
    'passes a path on that names nothing or is malformed': /path: '\/\?q=%25zz&q='/,
  },
);

const lacks: readonly Lack[] = [
  {
    what: 'jobKeys',
    reason: 'A standard queue of SQS takes the same message twice: enqueue() with a key rejects.',
    link: `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/standard-queues.html`,
  },
  {
    what: 'jobCommands',
    reason: 'A queue shows what is in it to nobody but who receives it. Dead jobs are in a queue of their own.',
    link: `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html`,
  },
  {
    what: 'sharedCache',
    reason:
      'Each instance of a function answers one request at a time and does not live long: CloudFront keeps answers.',
    link: 'https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html',
  },
  {
    what: 'shutdown',
    reason: 'Lambda starts and stops the processes of a function; the tasks are part of each invocation.',
    link: environment,
  },
];

const uncompressed: readonly Lack[] = [
  {
    what: 'compression',
    reason: 'A streaming Function URL decodes answers with a Content-Encoding, so the option compress is off.',
    link: 'https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/96',
  },
];

// The topics that depend on an event and its answer. The rest is tested with the HTTP API, whose function is the same.
const ofEvents: readonly string[] = [
  'cookies',
  'cross-origin',
  'file-names',
  'methods',
  'middleware',
  'origin',
  'own-fetch',
  'params',
  'proxies',
  'redirects',
  'request-body',
  'request-head',
  'request-target',
  'response-body',
  'response-head',
  'routing',
  'sessions',
  'static-files-http',
];

const version = 'require(`${process.env.APPKIT_TOOLS}/node_modules/aws-lambda-ric/package.json`).version';

const shared = {
  dependencies: {},
  tools: 'tools',
  env: { APPKIT_DEAD_JOBS: '/dead-jobs' },
  prepare: [['node', 'host/sam-build.mjs']],
  command: ['node', 'host/serve.mjs'],
  tool: { command: ['node', '--print', version], expected: /^4\.0\.2/m },
  ready: /Listening on (http:\/\/\S+)/,
  lacks,
} satisfies Partial<Emulator>;

/** The function in AWS's own runtime interface client, called by a Function URL, an HTTP API, a REST API and a load balancer. */
export const emulators: readonly Emulator[] = [
  {
    ...shared,
    name: 'aws-lambda',
    title: 'AWS Lambda, aws-lambda-ric 4.0.2, Function URL that streams',
    files: ['emulator', '../_jobs/emulator'],
    commandWithOptions: ['node', 'host/serve.mjs', 'options.streaming'],
    attack: { kind: 'function', hasWholeBodies: true },
    lacks: [...lacks, ...uncompressed],
    gaps: [...gaps, ...joinedGaps, ...streamingGaps, ...uncodedGaps],
  },
  {
    ...shared,
    name: 'aws-lambda-buffered',
    title: 'AWS Lambda, aws-lambda-ric 4.0.2, HTTP API',
    files: ['emulator', '../_jobs/emulator'],
    commandWithOptions: ['node', 'host/serve.mjs', 'options.buffered'],
    gaps: [...gaps, ...joinedGaps, ...bufferedGaps, ...decodedPathGaps],
  },
  {
    ...shared,
    name: 'aws-lambda-rest',
    title: 'AWS Lambda, aws-lambda-ric 4.0.2, REST API',
    files: ['emulator', '../_jobs/emulator'],
    commandWithOptions: ['node', 'host/serve.mjs', 'options.buffered'],
    isSecondOpinion: true,
    topics: ofEvents,
    gaps: [...gaps, ...bufferedGaps, ...decodedQueryGaps],
  },
  {
    ...shared,
    name: 'aws-lambda-load-balancer',
    title: 'AWS Lambda, aws-lambda-ric 4.0.2, Application Load Balancer',
    files: ['emulator', '../_jobs/emulator'],
    commandWithOptions: ['node', 'host/serve.mjs', 'options.buffered'],
    isSecondOpinion: true,
    topics: ofEvents,
    gaps: [...gaps, ...bufferedGaps, ...listedQueryGaps],
  },
];
