import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
  SQSHandler,
} from 'aws-lambda';
import { createRequestHandler } from 'appkit-server/adapter/aws-lambda';
import { createJobHandler, createSqsJobs } from 'appkit-server/jobs/aws';

const handler = createRequestHandler({ build: 'dist/server' });

export const behindHttpApi: APIGatewayProxyHandlerV2 = handler;
export const behindFunctionUrl: LambdaFunctionURLHandler = handler;
export const behindRestApi: APIGatewayProxyHandler = handler;
export const behindLoadBalancer: ALBHandler = handler;
export const ofQueue: SQSHandler = createJobHandler({ build: 'dist/server', jobs: createSqsJobs() });
