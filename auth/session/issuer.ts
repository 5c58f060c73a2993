const TENANT = '{tenantid}';

/**
 * Whether an `iss` matches a document. The issuer of a document for many tenants, such as Microsoft Entra's, has
 * `{tenantid}` in its path, where the `iss` has the name of one tenant.
 *
 * @param tenant – the tenant that it must be. Default: any.
 */
export function isOfIssuer(iss: string, issuer: string, tenant?: unknown): boolean {
  const [before = '', after] = issuer.split(TENANT);
  if (after === undefined) return iss === issuer;
  const name = iss.slice(before.length, iss.length - after.length);
  return iss === before + name + after && name === (tenant ?? name) && /^[\w.-]+$/.test(name);
}
