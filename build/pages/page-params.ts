import { ExportError } from '../problem.ts';
import type { PageFile } from '../site/scan-pages.ts';

const PARAMETER = /\[(\.\.\.)?([^\]]+)\]/g;

/**
 * Checks the result of a page's `generateStaticParams`.
 *
 * @throws ExportError when it is not a list of the page's parameters.
 */
export function listParams({ file, pattern }: PageFile, given: unknown): Record<string, string>[] {
  const names = [...pattern.matchAll(PARAMETER)].map(([, , name = '']) => name);
  const refuse = (message: string): never => {
    const example = `[{ ${names.map((name) => `${name}: '…'`).join(', ')} }]`;
    throw new ExportError([{ file, message, fix: `Return a list such as ${example}.` }]);
  };
  if (!Array.isArray(given))
    return refuse(`generateStaticParams returned ${JSON.stringify(given) ?? 'nothing'}, which is not a list.`);
  return given.map((params: unknown) => {
    const entries = names.map((name): [string, string] => {
      const value = (params as Record<string, unknown> | null)?.[name];
      // A URL keeps neither an empty segment nor a dot segment.
      const isText = typeof value === 'string' && value.split('/').every((part) => !/^\.{0,2}$/.test(part));
      if (isText) return [name, value];
      return refuse(
        `generateStaticParams returned ${JSON.stringify(params)}, in which ${name} is not text that can be in a path.`,
      );
    });
    return Object.fromEntries(entries);
  });
}

/**
 * Fills a pattern with encoded parameters: the result is the name by which a server build knows the page rendered for
 * them.
 */
export function fillPattern(pattern: string, params: Record<string, string>): string {
  return pattern.replaceAll(PARAMETER, (_, rest: string | undefined, name: string) => {
    const value = params[name] ?? '';
    return rest === undefined ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
}
