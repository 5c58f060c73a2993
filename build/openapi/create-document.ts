import type { SecuritySchemes } from '../config/security-schemes.ts';
import { describeOperation, describeResponses } from './describe-operation.ts';
import type { OperationOf } from './describe-operation.ts';
import { explainSecurity, findUndeclaredScopes } from './describe-security.ts';
import { uniqueName } from './unique-name.ts';
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
  /** The ways to authenticate, by the names that contracts use. */
  securitySchemes?: SecuritySchemes;
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
  { server, securitySchemes, ...info }: ApiInfo,
): Promise<ApiDocument> {
  const warnings: string[] = [];
  // A schema of the app with this name gets another. Without a prototype, since a name may be `constructor`.
  const schemas: Record<string, unknown> = Object.assign(Object.create(null), { Problem: PROBLEM_SCHEMA });
  const paths: ApiDocument['document']['paths'] = {};
  const operations: Operation[] = [];
  for (const { pattern, file, methods, module } of routes) {
    const { template, parameters } = toPathTemplate(pattern);
    const item: Record<string, unknown> = (paths[template] = {});
    const failure = 'failure' in module && typeof module['failure'] === 'string' ? module['failure'] : undefined;
    if (failure !== undefined) item['description'] = failure;
    for (const method of methods) {
      const contract = failure === undefined ? readContract((module as Record<string, unknown>)[method]) : undefined;
      const source = { name: toName(method, template), parameters, contract };
      const told: string[] = [];
      const warn = (about: string, reason: string): void => {
        told.push(`${file}: the OpenAPI document does not describe ${about} of ${method}: ${reason}`);
      };
      operations.push({ source, file, item, method, pattern, told, warn, responses: {} });
    }
  }
  // Before all inputs: a name belongs to the output if the input of the same schema differs.
  for (const each of operations) each.responses = await describeResponses(each.source, { schemas, warn: each.warn });
  const ids = nameOperations(operations);
  for (const each of operations) {
    const described = await describeOperation(each.source, each.responses, { schemas, warn: each.warn });
    const { security } = each.source.contract ?? {};
    const wrong = security === undefined ? undefined : explainSecurity(security, securitySchemes);
    if (wrong !== undefined) each.warn('the security', wrong);
    else if (security !== undefined) {
      for (const found of findUndeclaredScopes(security, securitySchemes)) {
        each.told.push(`${each.file}: the security of ${each.method} ${found}`);
      }
    }
    each.item[each.method.toLowerCase()] = {
      ...described,
      operationId: ids.get(each),
      ...(security !== undefined && wrong === undefined && { security }),
    };
    warnings.push(...each.told);
  }
  const usesProblem = JSON.stringify(paths).includes('#/components/responses/Problem');
  delete schemas['Problem'];
  if (usesProblem) schemas['Problem'] = PROBLEM_SCHEMA;
  const components = {
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(usesProblem && { responses: { Problem: PROBLEM_RESPONSE } }),
    ...(securitySchemes && { securitySchemes }),
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

/** One method of one route, on its way into the document. */
interface Operation {
  source: OperationOf;
  /** The file of the route. */
  file: string;
  /** What the document says about its path. */
  item: Record<string, unknown>;
  method: string;
  pattern: string;
  responses: Record<string, unknown>;
  /** The warnings about it. */
  told: string[];
  warn(about: string, reason: string): void;
}

/** The `operationId` of each: that of its contract, or one like `getItemsId`, which generators of clients name its function after. */
function nameOperations(operations: readonly Operation[]): Map<Operation, string> {
  const ids = new Map<Operation, string>();
  const owners = new Map<string, Operation>();
  const give = (operation: Operation, id: string): void => {
    ids.set(operation, id);
    owners.set(id, operation);
  };
  for (const operation of operations) {
    const id = operation.source.contract?.notes['operationId'];
    if (id === undefined) continue;
    const other = owners.get(String(id));
    if (!other) give(operation, String(id));
    else {
      const about = `${String(id)} is that of ${other.method} ${other.pattern} too. Give it another.`;
      operation.warn('the operationId', about);
    }
  }
  for (const operation of operations) {
    if (ids.has(operation)) continue;
    const { name } = operation.source;
    give(operation, uniqueName(name.charAt(0).toLowerCase() + name.slice(1), owners));
  }
  return ids;
}

/** `GET /items/{id}` as `GetItemsId`, using only the characters that component names may have. */
function toName(method: string, template: string): string {
  const words = [method.toLowerCase(), ...template.split(/[^A-Za-z0-9]+/)].filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
