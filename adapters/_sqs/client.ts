import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as SqsModule from '@aws-sdk/client-sqs';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { codedError } from '../../runtime/host.ts';

/** The AWS client, and the module with its commands. */
export interface Sqs {
  sdk: typeof SqsModule;
  client: SQSClient;
}

/**
 * Loads the AWS SDK, and creates a client with the region and the credentials of the function.
 *
 * @throws CodedError ERR_JOBS_UNAVAILABLE if the SDK is not installed.
 */
export async function startSqs(): Promise<Sqs> {
  const sdk = await loadSdk();
  // Without these, a call to a server that does not answer any more would wait until the function ends. The SDK tries
  // three times.
  const requestHandler = { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true };
  return { sdk, client: new sdk.SQSClient({ requestHandler }) };
}

async function loadSdk(): Promise<typeof SqsModule> {
  try {
    return await import('@aws-sdk/client-sqs');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    // The SDK of Lambda's Node.js runtimes is in the folder that NODE_PATH names, where imports need not look.
    const found = createRequire(path.resolve('package.json')).resolve('@aws-sdk/client-sqs');
    return toModule(await import(pathToFileURL(found).href));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw codedError(
      'ERR_JOBS_UNAVAILABLE',
      "Jobs in SQS need @aws-sdk/client-sqs, which Lambda's Node.js runtimes have. Elsewhere, install it: npm install @aws-sdk/client-sqs",
    );
  }
}

/** The exports of a CommonJS module are in the default export if Node does not find their names. */
function toModule(loaded: object): typeof SqsModule {
  return ('SQSClient' in loaded ? loaded : (loaded as { default: object }).default) as typeof SqsModule; // the package with this name
}

function isMissing(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code) || /cannot find (module|package)/i.test(message);
}
