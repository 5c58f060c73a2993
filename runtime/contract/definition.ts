import type { InferInput, InferOutput, StandardSchemaV1 } from './standard-schema.ts';

/** The schemas of what a request brings. What has no schema is not read. */
export interface ContractInput {
  /** The parameters of the path, decoded: an object of strings. Default: they are given as they are. */
  readonly path?: StandardSchemaV1 | undefined;
  /** The query: an object of strings. A name that is repeated has an array of them. */
  readonly query?: StandardSchemaV1 | undefined;
  /** The headers: an object of strings, with names in lower case. An answer that depends on all headers is never kept by `cache()`. */
  readonly headers?: StandardSchemaV1 | undefined;
  /**
   * The body: what its JSON says, or an object of the fields of its form. A field that is repeated has an array, and a file is a `File`. It is
   * `undefined` if the body is empty.
   */
  readonly body?: StandardSchemaV1 | undefined;
}

/** The schema of what the handler returns, or schemas by status. */
export type ContractOutput = StandardSchemaV1 | { readonly [status: number]: StandardSchemaV1 };

/** What a handler takes and gives. */
export interface ContractDefinition<
  Input extends ContractInput = ContractInput,
  Output extends ContractOutput | undefined = ContractOutput | undefined,
> {
  /** What is checked before the handler is called. Default: nothing. */
  readonly input?: Input;
  /**
   * What the handler returns, sent as JSON. By status, a returned value is checked against the schema of the lowest status from 200 to 299,
   * and sent with it; the others describe the Responses that the handler makes itself. Default: the handler returns a `Response`.
   */
  readonly output?: Output;
  /** A few words about the operation, for the OpenAPI document. */
  readonly summary?: string;
  /** What the operation does, in CommonMark, for the OpenAPI document. */
  readonly description?: string;
  /** The name by which programs made from the OpenAPI document call the operation. No two are the same. */
  readonly operationId?: string;
  /** The groups that the OpenAPI document lists the operation in. */
  readonly tags?: readonly string[];
  /** Whether the OpenAPI document advises against the operation. Default: `false`. */
  readonly deprecated?: boolean;
}

/** What a handler receives: each part of the request that has a schema, as its schema gives it. */
export type ContractValues<Input extends ContractInput> = {
  readonly [
    Part in keyof Input as Input[Part] extends StandardSchemaV1 ? Part : never
  ]: Input[Part] extends StandardSchemaV1 ? InferOutput<Input[Part]> : never;
} & (Input extends { readonly path: StandardSchemaV1 } ? unknown : { readonly path: Record<string, string> });

/** What a handler may return. */
export type ContractReturn<Output extends ContractOutput | undefined> =
  | Response
  | (SuccessOf<Output> extends StandardSchemaV1 ? InferInput<SuccessOf<Output>> : never);

/** The schema of a plain value that the handler returns. */
export type SuccessOf<Output> = Output extends StandardSchemaV1 ? Output : FirstOf<Output, SuccessStatuses>;

type SuccessStatuses = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

type FirstOf<Output, Statuses> = Statuses extends [infer Status extends number, ...infer Rest]
  ? Output extends { readonly [Key in Status]: infer Schema }
    ? Schema
    : FirstOf<Output, Rest>
  : never;

/** What a caller sends and gets, for `fetchRoute` of appkit-router. */
export interface ContractTypes<Input extends ContractInput, Output extends ContractOutput | undefined> {
  query: InputOf<Input['query']>;
  headers: InputOf<Input['headers']>;
  body: InputOf<Input['body']>;
  /** By status, as JSON brings it; `undefined` without an output. */
  output: Output extends StandardSchemaV1
    ? { 200: Json<InferOutput<Output>> }
    : Output extends { readonly [status: number]: StandardSchemaV1 }
      ? {
          [Status in keyof Output]: Output[Status] extends StandardSchemaV1 ? Json<InferOutput<Output[Status]>> : never;
        }
      : undefined;
}

type InputOf<Schema> = Schema extends StandardSchemaV1 ? InferInput<Schema> : undefined;

/** A type once it has been JSON: dates are text, and functions are gone. */
type Json<Value> = Value extends { toJSON(): infer Text }
  ? Text
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Json<Value[Index]> }
    : Value extends (...args: never[]) => unknown
      ? undefined
      : Value extends object
        ? { [Key in keyof Value as Key extends string | number ? Key : never]: Json<Value[Key]> }
        : Value;

/** The handler of a route that has a contract. */
export interface ContractHandler<
  Input extends ContractInput = ContractInput,
  Output extends ContractOutput | undefined = ContractOutput | undefined,
> {
  (request: Request, params: Record<string, string>): Promise<Response>;
  /** The contract, for tools. `types` exists for the compiler only. */
  readonly '~contract': ContractDefinition<Input, Output> & { readonly types?: ContractTypes<Input, Output> };
}
