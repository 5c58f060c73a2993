import type { CreateCalls } from '../../bench/overhead/host-calls.ts';

/** What the benchmark compares: the adapter, and a minimal handler for this host. */
export const createCalls: CreateCalls = async ({ build, headers }) => {
  const { createRequestHandler } = await import('appkit-server/adapter/aws-lambda');
  const handler = createRequestHandler({ build });
  const event = {
    version: '2.0',
    rawPath: '/text',
    rawQueryString: '',
    headers: { ...headers, host: '127.0.0.1' },
    requestContext: { domainName: '127.0.0.1', stage: '$default', http: { method: 'GET' } },
  };
  const bare = async (): Promise<unknown> => ({ statusCode: 200, headers: {}, body: 'Hello, world!' });
  return { ours: () => handler(event, undefined as never), bare };
};
