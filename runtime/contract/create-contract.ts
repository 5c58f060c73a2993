import type {
  ContractDefinition,
  ContractHandler,
  ContractInput,
  ContractOutput,
  ContractReturn,
  ContractValues,
} from './definition.ts';
import { readInput } from './read-input.ts';
import { toResponse } from './to-response.ts';

/**
 * Creates a handler that is called only with input that its schemas accept: `export const POST = contract({ input: {
 * body: Note } }, handler)`.
 *
 * It accepts any library that implements Standard Schema, such as zod, valibot and arktype. A request that does not
 * match is answered with 400 and problem details that list every problem; a body of another media type than JSON, a
 * form or text is answered with 415.
 *
 * @param definition – the schemas, and the operation's texts for the OpenAPI document.
 * @param handler – called with the request and the checked values. Its body has been read if it has a schema. What it returns is
 * checked by `output` and sent as JSON; a `Response` is sent unchanged.
 * @returns the handler of a route. It rejects with a TypeError of code `ERR_OUTPUT_INVALID` for a value that does not match `output`.
 * @see RFC 9457, and https://standardschema.dev
 */
export function contract<
  const Input extends ContractInput = {},
  const Output extends ContractOutput | undefined = undefined,
>(
  definition: ContractDefinition<Input, Output>,
  handler: (
    request: Request,
    values: ContractValues<Input>,
  ) => ContractReturn<Output> | Promise<ContractReturn<Output>>,
): ContractHandler<Input, Output> {
  const { input = {}, output } = definition;
  const answer = async (request: Request, params: Record<string, string>): Promise<Response> => {
    const read = await readInput(input, request, params);
    if ('refusal' in read) return read.refusal;
    // The schemas have returned values of these types.
    return toResponse(await handler(request, read.values as ContractValues<Input>), output, request);
  };
  return Object.assign(answer, { '~contract': definition });
}
