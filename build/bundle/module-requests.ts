import { readFileSync } from 'node:fs';

import { parseSync } from 'rolldown/utils';

/** Where a module imports something, as an offset. Undefined for a module that is not a file or does not contain it. */
export function findRequest(file: string, isIt: (specifier: string) => boolean): number | undefined {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch {
    return undefined; // a module that is not a file
  }
  const { module } = parseSync(file, source);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  return requests.find(({ start, end }) => isIt(source.slice(start, end).slice(1, -1)))?.start;
}
