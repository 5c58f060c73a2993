import { ExportError } from '../problem.ts';
import type { WebOutput } from '../config/app-config.ts';
import type { PageFile } from '../site/scan-pages.ts';

const PARAMETER = /\[(\.\.\.)?([^\]]+)\]/g;

/** The result of a page's `generateStaticParams`, and where the page's HTML is written. */
export interface GivenParams {
  given: unknown;
  output: WebOutput;
}

/**
 * Checks the result of a page's `generateStaticParams`.
 *
 * @throws ExportError when it is not a list of the page's parameters, or a static host could not serve the page.
 */
export function listParams({ file, pattern }: PageFile, { given, output }: GivenParams): Record<string, string>[] {
  const parameters = [...pattern.matchAll(PARAMETER)].map(([, rest, name = '']) => ({
    name,
    isRest: rest !== undefined,
  }));
  const refuse = (message: string, fix = toExample(parameters)): never => {
    throw new ExportError([{ file, message, fix }]);
  };
  if (!Array.isArray(given))
    return refuse(`generateStaticParams returned ${JSON.stringify(given) ?? 'nothing'}, which is not a list.`);
  return given.map((params: unknown) => {
    const entries = parameters.map(({ name, isRest }): [string, string] => {
      const value = (params as Record<string, unknown> | null)?.[name];
      // A URL keeps neither an empty segment nor a dot segment.
      const isText = typeof value === 'string' && value.split('/').every((part) => !/^\.{0,2}$/.test(part));
      const returned = `generateStaticParams returned ${JSON.stringify(params)}, in which ${name}`;
      if (!isText) return refuse(`${returned} is not text that can be in a path.`);
      if (output !== 'static' || isFileName(value, isRest)) return [name, value];
      const rest = `Name the parameter [...${name}] if its values have slashes, return`;
      return refuse(
        `${returned} cannot be the name of a file that a host serves.`,
        `${isRest ? 'Return' : rest} another value, or set web.output to "server".`,
      );
    });
    return Object.fromEntries(entries);
  });
}

function toExample(parameters: readonly { name: string }[]): string {
  return `Return a list such as [{ ${parameters.map(({ name }) => `${name}: '…'`).join(', ')} }].`;
}

/** Whether hosts serve files with this name: none within a segment decodes a slash, and hidden files are private. */
function isFileName(value: string, isRest: boolean): boolean {
  return (isRest ? value.split('/') : [value]).every((segment) => !/^\.|[/\\\0]/.test(segment));
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

/**
 * The path of a page in a URL, with encoded parameters. In the name of a file, the characters that are encoded here stand for
 * themselves.
 */
export function toUrlPath(pattern: string, params: Record<string, string>): string {
  const segments = pattern.split('/').map((segment) => {
    return segment.startsWith('[') ? segment : segment.replaceAll(/[%?#\\]/g, encodeURIComponent);
  });
  return fillPattern(segments.join('/'), params);
}
