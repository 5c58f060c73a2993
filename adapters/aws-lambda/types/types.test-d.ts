import type { APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda';
import { createRequestHandler } from 'appkit-server/adapter/aws-lambda';

const handler = createRequestHandler({ build: 'dist/server' });

export const behindHttpApi: APIGatewayProxyHandlerV2 = handler;
export const behindFunctionUrl: LambdaFunctionURLHandler = handler;

// @ts-expect-error -- events in payload format 1.0 are others
export const behindRestApi: APIGatewayProxyHandler = handler;
