/** Ways to authenticate, by their names: the Security Scheme Objects of OpenAPI. */
export type SecuritySchemes = Record<string, { type: string; [field: string]: unknown }>;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isPlace: Check = (value) => value === 'query' || value === 'header' || value === 'cookie';

/** The fields that OpenAPI 3.1 requires of each type. */
const REQUIRED = new Map<unknown, Record<string, Check>>([
  ['apiKey', { name: isText, in: isPlace }],
  ['http', { scheme: isText }],
  ['mutualTLS', {}],
  ['oauth2', { flows: isObject }],
  ['openIdConnect', { openIdConnectUrl: isText }],
]);

/** The names that a component may have (OpenAPI 3.1, Components Object). */
const NAME = /^[\w.-]+$/;

/** Whether a value of the config has what OpenAPI requires of security schemes. */
export function isSecuritySchemes(value: unknown): value is SecuritySchemes {
  return isObject(value) && Object.entries(value).every(([name, scheme]) => NAME.test(name) && isScheme(scheme));
}

function isScheme(scheme: unknown): boolean {
  if (!isObject(scheme)) return false;
  const required = REQUIRED.get(scheme['type']);
  return required !== undefined && Object.entries(required).every(([field, isRight]) => isRight(scheme[field]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
