import type { SecuritySchemes } from '../config/security-schemes.ts';

/**
 * Checks what a contract says about authentication: each scheme must be one of the document (OpenAPI 3.1, Security Requirement Object).
 *
 * @returns why it cannot be in the document, if it cannot.
 */
export function explainSecurity(security: unknown, schemes: SecuritySchemes = {}): string | undefined {
  if (!Array.isArray(security) || !security.every(isRequirement)) return 'it is not a list such as [{ bearer: [] }].';
  const unknown = security.flatMap((one) => Object.keys(one)).find((name) => !Object.hasOwn(schemes, name));
  return unknown === undefined ? undefined : `securitySchemes of the app config has no ${unknown}.`;
}

function isRequirement(value: unknown): value is Record<string, string[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (scopes) => Array.isArray(scopes) && scopes.every((one) => typeof one === 'string'),
  );
}
