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

/**
 * Finds the scopes of a contract's security that no flow of their scheme declares (OpenAPI 3.1, OAuth Flow Object). Schemes of
 * other types declare none.
 *
 * @param security – one that {@link explainSecurity} accepts.
 * @returns a sentence per scheme, to follow the name of the operation.
 */
export function findUndeclaredScopes(security: unknown, schemes: SecuritySchemes = {}): string[] {
  const requirements = security as Record<string, string[]>[]; // as explainSecurity has checked
  const byScheme = Map.groupBy(
    requirements.flatMap((one) => Object.entries(one)),
    ([name]) => name,
  );
  return [...byScheme].flatMap(([name, alternatives]) => {
    const scheme = schemes[name];
    if (scheme?.type !== 'oauth2') return [];
    const declared = Object.values(fieldsOf(scheme['flows'])).flatMap((flow) =>
      Object.keys(fieldsOf(fieldsOf(flow)['scopes'])),
    );
    const wanted = new Set(alternatives.flatMap(([, scopes]) => scopes));
    const unknown = [...wanted].filter((scope) => !declared.includes(scope));
    if (unknown.length === 0) return [];
    const what = unknown.length === 1 ? 'a scope' : 'scopes';
    return [
      `has ${what} that no flow of ${name} declares in securitySchemes of the app config: ${unknown.join(', ')}.`,
    ];
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // each is checked where it is read
}

function isRequirement(value: unknown): value is Record<string, string[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (scopes) => Array.isArray(scopes) && scopes.every((one) => typeof one === 'string'),
  );
}
