/**
 * Contracts for server routes: schemas that check a handler's input and output.
 *
 * @module
 */
export { contract } from './contract/create-contract.ts';
export type {
  ContractDefinition,
  ContractHandler,
  ContractInput,
  ContractOutput,
  ContractReturn,
  ContractTypes,
  ContractValues,
} from './contract/definition.ts';
export type { ContractProblem, InputError } from './contract/problem.ts';
export type {
  InferInput,
  InferOutput,
  StandardIssue,
  StandardResult,
  StandardSchemaV1,
} from './contract/standard-schema.ts';
