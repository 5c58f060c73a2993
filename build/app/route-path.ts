/** The pattern of a route file, or why its path is not valid. */
export type RoutePath = { pattern: string } | { message: string; fix: string };

/**
 * Reads the path of a route file in the routes folder, without `+api` and the extension, as a manifest pattern:
 * `(shop)/items/[id]/index` is `/items/[id]`.
 */
export function toRoutePath(stem: string): RoutePath {
  const segments = stem.split('/');
  const name = segments.at(-1) ?? '';
  if (isGroup(name)) {
    return {
      message: `The file is named like a group, ${name}, and groups are not part of the URL.`,
      fix: `Rename it to ${name}/index+api.`,
    };
  }
  const several = segments.find((segment) => isGroup(segment) && segment.includes(','));
  if (several !== undefined) {
    return {
      message: `${several} would be several groups at once, which are not supported: they would all have the same paths.`,
      fix: `Name the folder after one of them, such as ${several.replace(/\s*,.*/, ')')}.`,
    };
  }
  if (name === 'index') segments.pop();

  const kept = segments.filter((segment) => !isGroup(segment)).map(toNormalForm);
  return explainParameters(kept) ?? { pattern: `/${kept.join('/')}` };
}

/** Explains what is wrong with the parameters of a pattern, given its segments. */
export function explainParameters(segments: readonly string[]): { message: string; fix: string } | undefined {
  const names: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const parameter = parseParameter(segment);
    if (parameter === undefined) continue;
    if ('message' in parameter) return parameter;
    if (parameter.rest && index < segments.length - 1) {
      return {
        message: `${segment} matches everything to the end of the path, so nothing can follow it.`,
        fix: `Move ${segment} to the end of the path, or write [${parameter.name}] for a single segment.`,
      };
    }
    if (names.includes(parameter.name)) {
      return {
        message: `Two segments of the path are called ${parameter.name}, and a handler would see only one of them.`,
        fix: 'Give each parameter its own name.',
      };
    }
    names.push(parameter.name);
  }
  return undefined;
}

/** Returns the same key for two patterns that match the same paths: parameter names make no difference. */
export function toPatternKey(pattern: string): string {
  return pattern.replaceAll(/\[\.\.\.[^\]]+\]/g, '[...]').replaceAll(/\[(?!\.\.\.)[^\]]+\]/g, '[]');
}

/** Some file systems return accented letters as separate characters, while a typed or copied URL has them composed. */
function toNormalForm(segment: string): string {
  return segment.normalize('NFC');
}

/** Whether a segment is a group, such as `(shop)`, which is not part of the URL. */
export function isGroup(segment: string): boolean {
  return /^\([^()]+\)$/.test(segment);
}

type Parameter = { name: string; rest: boolean } | { message: string; fix: string };

function parseParameter(segment: string): Parameter | undefined {
  if (!/[[\]]/.test(segment)) return undefined;
  const [, dots, name] = /^\[(\.\.\.)?([^[\].][^[\]]*)\]$/.exec(segment) ?? [];
  if (name !== undefined) return { name, rest: dots !== undefined };
  if (/^\[\[.+\]\]$/.test(segment)) {
    return {
      message: `${segment} would be an optional segment, which is not supported.`,
      fix: `Write two files: one with ${segment.slice(1, -1)}, and an index+api file next to it for the path without it.`,
    };
  }
  if (segment === '[]' || segment === '[...]') {
    return { message: `${segment} has no parameter name.`, fix: 'Name it, as in [id] or [...path].' };
  }
  return {
    message: `The brackets in ${segment} are not a parameter.`,
    fix: 'A parameter is a whole segment: [id] for one, [...path] for the rest of the path.',
  };
}
