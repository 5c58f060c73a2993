/** A parameter in the pattern of a route. */
export interface PathParameter {
  name: string;
  /** Whether it matches several segments. */
  isRest: boolean;
}

/** A route's pattern in OpenAPI's form: `/items/[id]` is `/items/{id}`. */
export function toPathTemplate(pattern: string): { template: string; parameters: PathParameter[] } {
  const parameters: PathParameter[] = [];
  const segments = pattern.split('/').map((segment) => {
    const [, rest, name] = /^\[(\.\.\.)?(.+)\]$/.exec(segment) ?? [];
    // In a URL, braces are always encoded.
    if (name === undefined) return encodeURI(segment).replaceAll('?', '%3F').replaceAll('#', '%23');
    parameters.push({ name, isRest: rest !== undefined });
    return `{${name}}`;
  });
  return { template: segments.join('/'), parameters };
}
