import { describeOperation } from './describe-operation.ts';
import { toPathTemplate } from './path-template.ts';
import { PROBLEM_RESPONSE, PROBLEM_SCHEMA } from './problem-response.ts';
import { readContract } from './read-contract.ts';

/** A route to be described. */
export interface ApiRoute {
  pattern: string;
  /** Its source, for messages. */
  file: string;
  methods: readonly string[];
  /** Its exports, or why they are not known. */
  module: Record<string, unknown> | { failure: string };
}

/** What a document says about the app in general. */
export interface ApiInfo {
  title: string;
  version: string;
  description?: string;
  /** The app's URL or path. Default: the root of the document's host. */
  server?: string;
}

/** An OpenAPI document, and the parts that it could not describe. */
export interface ApiDocument {
  document: { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<string, unknown>;
  /** One or two sentences for each part that could not be described. */
  warnings: string[];
}

/**
 * Describes routes in the terms of OpenAPI 3.1. Routes without a contract are listed with their methods and parameters.
 */
export async function createApiDocument(
  routes: readonly ApiRoute[],
  { server, ...info }: ApiInfo,
): Promise<ApiDocument> {
  const warnings: string[] = [];
  const schemas: Record<string, unknown> = {};
  const paths: ApiDocument['document']['paths'] = {};
  const operationIds = new Map<string, string>();
  for (const { pattern, file, methods, module } of routes) {
    const { template, parameters } = toPathTemplate(pattern);
    const item: Record<string, unknown> = (paths[template] = {});
    const failure = 'failure' in module && typeof module['failure'] === 'string' ? module['failure'] : undefined;
    if (failure !== undefined) item['description'] = failure;
    for (const method of methods) {
      const warn = (about: string, reason: string): void => {
        warnings.push(`${file}: the OpenAPI document does not describe ${about} of ${method}: ${reason}`);
      };
      const contract = failure === undefined ? readContract((module as Record<string, unknown>)[method]) : undefined;
      const operation = await describeOperation(
        { name: toName(method, template), parameters, contract },
        { schemas, warn },
      );
      const id = operation['operationId'];
      const other = operationIds.get(String(id));
      if (id !== undefined && other !== undefined) {
        warn(`the operationId`, `${String(id)} is that of ${other} too. Give it another.`);
        delete operation['operationId'];
      } else if (id !== undefined) operationIds.set(String(id), `${method} ${pattern}`);
      item[method.toLowerCase()] = operation;
    }
  }
  const usesProblem = JSON.stringify(paths).includes('#/components/responses/Problem');
  if (usesProblem) schemas['Problem'] = PROBLEM_SCHEMA;
  const components = {
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(usesProblem && { responses: { Problem: PROBLEM_RESPONSE } }),
  };
  const document = {
    openapi: '3.1.1',
    info,
    ...(server !== undefined && { servers: [{ url: server }] }),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
  };
  return { document, warnings };
}

/** `GET /items/{id}` as `GetItemsId`, using only the characters that component names may have. */
function toName(method: string, template: string): string {
  const words = [method.toLowerCase(), ...template.split(/[^A-Za-z0-9]+/)].filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
