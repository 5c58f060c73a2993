import type { InferInput, InferOutput, StandardSchemaV1 } from './standard-schema.ts';

/** The schemas of the parts of a request. A part without a schema is not read. */
export interface ContractInput {
  /** The parameters of the path, decoded: an object of strings. Default: they are passed unchecked. */
  readonly path?: StandardSchemaV1 | undefined;
  /** The query: an object of strings. A repeated name has an array of its values. */
  readonly query?: StandardSchemaV1 | undefined;
  /** The headers: an object of strings, with names in lower case. An answer that depends on all headers is never kept by `cache()`. */
  readonly headers?: StandardSchemaV1 | undefined;
  /**
   * The body: its parsed JSON, or an object of its form's fields. A repeated field has an array, and a file is a
   * `File`. It is `undefined` if the body is empty.
   */
  readonly body?: StandardSchemaV1 | undefined;
}

/** The schema of the handler's return value, or schemas by status. */
export type ContractOutput = StandardSchemaV1 | { readonly [status: number]: StandardSchemaV1 };

/** The input and output of a handler. */
export interface ContractDefinition<
  Input extends ContractInput = ContractInput,
  Output extends ContractOutput | undefined = ContractOutput | undefined,
> {
  /** The schemas checked before the handler is called. Default: none. */
  readonly input?: Input;
  /**
   * The schema of the handler's return value, which is sent as JSON. By status, a returned value is checked against the
   * schema of the lowest status from 200 to 299, and sent with it; the others describe the Responses that the handler
   * creates itself. Default: the handler returns a `Response`.
   */
  readonly output?: Output;
  /** A few words about the operation, for the OpenAPI document. */
  readonly summary?: string;
  /** What the operation does, in CommonMark, for the OpenAPI document. */
  readonly description?: string;
  /** The name of the operation in programs generated from the OpenAPI document. It must be unique. */
  readonly operationId?: string;
  /** The groups in which the OpenAPI document lists the operation. */
  readonly tags?: readonly string[];
  /** Whether the OpenAPI document advises against the operation. Default: `false`. */
  readonly deprecated?: boolean;
  /**
   * The ways in which a caller may authenticate, for the OpenAPI document: any one of the list, with all schemes that it names. The names are
   * those of `securitySchemes` in the app config, with the scopes of each; `{}` stands for a caller that does not authenticate. The handler or
   * a middleware checks it. Default: the document does not say.
   */
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
}

/** The input of a handler: each part of the request that has a schema, as the schema returns it. */
export type ContractValues<Input extends ContractInput> = {
  readonly [
    Part in keyof Input as Input[Part] extends StandardSchemaV1 ? Part : never
  ]: Input[Part] extends StandardSchemaV1 ? InferOutput<Input[Part]> : never;
} & (Input extends { readonly path: StandardSchemaV1 } ? unknown : { readonly path: Record<string, string> });

/** The values a handler may return. */
export type ContractReturn<Output extends ContractOutput | undefined> =
  | Response
  | (SuccessOf<Output> extends StandardSchemaV1 ? InferInput<SuccessOf<Output>> : never);

/** The schema of a plain return value of the handler. */
export type SuccessOf<Output> = Output extends StandardSchemaV1 ? Output : FirstOf<Output, SuccessStatuses>;

type SuccessStatuses = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

type FirstOf<Output, Statuses> = Statuses extends [infer Status extends number, ...infer Rest]
  ? Output extends { readonly [Key in Status]: infer Schema }
    ? Schema
    : FirstOf<Output, Rest>
  : never;

/** What a caller sends and receives, for `fetchRoute` of appkit-router. */
export interface ContractTypes<Input extends ContractInput, Output extends ContractOutput | undefined> {
  query: InputOf<Input['query']>;
  headers: InputOf<Input['headers']>;
  body: InputOf<Input['body']>;
  /** By status, as parsed from JSON; `undefined` without an output. */
  output: Output extends StandardSchemaV1
    ? { 200: Json<InferOutput<Output>> }
    : Output extends { readonly [status: number]: StandardSchemaV1 }
      ? {
          [Status in keyof Output]: Output[Status] extends StandardSchemaV1 ? Json<InferOutput<Output[Status]>> : never;
        }
      : undefined;
}

type InputOf<Schema> = Schema extends StandardSchemaV1 ? InferInput<Schema> : undefined;

/** A type after JSON serialization: dates are strings, and functions are missing. */
type Json<Value> = Value extends { toJSON(): infer Text }
  ? Text
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Json<Value[Index]> }
    : Value extends (...args: never[]) => unknown
      ? undefined
      : Value extends string | number | boolean
        ? Value // A branded one is an object too.
        : Value extends object
          ? { [Key in keyof Value as Key extends string | number ? Key : never]: Json<Value[Key]> }
          : Value;

/** The handler of a route with a contract. */
export interface ContractHandler<
  Input extends ContractInput = ContractInput,
  Output extends ContractOutput | undefined = ContractOutput | undefined,
> {
  (request: Request, params: Record<string, string>): Promise<Response>;
  /** The contract, for tools. `types` exists for the compiler only. */
  readonly '~contract': ContractDefinition<Input, Output> & { readonly types?: ContractTypes<Input, Output> };
}
