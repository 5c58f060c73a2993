import { codedError } from '../http/coded-error.ts';
import { isResponse } from '../http/responses.ts';
import { statusesWithoutBody } from '../http/status-error.ts';
import { pathnameOf } from '../routing/pathname.ts';
import type { ContractOutput } from './definition.ts';
import { pointerOf } from './problem.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

/**
 * Converts a handler's return value to a response.
 *
 * @throws TypeError when it does not match the schema: the route's own code is wrong, so the client does not see the
 * reason.
 */
export async function toResponse(
  returned: unknown,
  output: ContractOutput | undefined,
  request: Request,
): Promise<Response> {
  const success = output && findSuccess(output);
  // A value that is not a Response is refused as in any other route.
  if (!success || isResponse(returned)) return returned as Response;
  const result = await success.schema['~standard'].validate(returned);
  if (result.issues) {
    // Each of thousands of list items may have an issue.
    const what = result.issues.slice(0, 10).map((issue) => `${pointerOf(issue)}: ${issue.message}`);
    throw codedError(
      'ERR_OUTPUT_INVALID',
      `${request.method} ${pathnameOf(request.url)} returned what the output of its contract does not allow (${what.join('; ')}). ` +
        'Return a value that matches, change the schema, or return a Response, which is sent as it is.',
    );
  }
  const { status = result.value === undefined ? 204 : 200 } = success;
  if (result.value !== undefined && statusesWithoutBody.includes(status)) {
    throw codedError(
      'ERR_OUTPUT_INVALID',
      `${request.method} ${pathnameOf(request.url)} returned a value for the status ${status}, which has no body. Return undefined, or use another status.`,
    );
  }
  return result.value === undefined ? new Response(null, { status }) : Response.json(result.value, { status });
}

function findSuccess(output: ContractOutput): { schema: StandardSchemaV1; status?: number } | undefined {
  if (isSchema(output)) return { schema: output };
  // Object keys that are integers are in numeric order.
  const status = Object.keys(output)
    .map(Number)
    .find((status) => status >= 200 && status <= 299);
  return status === undefined ? undefined : { schema: output[status] as StandardSchemaV1, status }; // it is a key
}

function isSchema(output: ContractOutput): output is StandardSchemaV1 {
  return '~standard' in output;
}
