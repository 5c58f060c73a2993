import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import { createRequestHandler } from 'appkit-server/adapter/aws-lambda';

const handler = createRequestHandler({ build: 'dist/server' });

export const behindHttpApi: APIGatewayProxyHandlerV2 = handler;
export const behindFunctionUrl: LambdaFunctionURLHandler = handler;
export const behindRestApi: APIGatewayProxyHandler = handler;
export const behindLoadBalancer: ALBHandler = handler;
