/** Ways to authenticate, by their names: the Security Scheme Objects of OpenAPI. */
export type SecuritySchemes = Record<string, { type: string; [field: string]: unknown }>;

/** The fields that OpenAPI 3.1 requires of each type. */
const REQUIRED = new Map([
  ['apiKey', ['name', 'in']],
  ['http', ['scheme']],
  ['mutualTLS', []],
  ['oauth2', ['flows']],
  ['openIdConnect', ['openIdConnectUrl']],
]);

/** The names that a component may have (OpenAPI 3.1, Components Object). */
const NAME = /^[\w.-]+$/;

/** Whether a value of the config has what OpenAPI requires of security schemes. */
export function isSecuritySchemes(value: unknown): value is SecuritySchemes {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value as Record<string, unknown>).every(([name, scheme]) => {
    if (!NAME.test(name) || typeof scheme !== 'object' || scheme === null) return false;
    const fields = REQUIRED.get(String((scheme as { type?: unknown }).type));
    return fields?.every((field) => field in scheme) ?? false;
  });
}
