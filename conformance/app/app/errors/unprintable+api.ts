import { query } from '../../lib/query.ts';

/** Throws an error whose printing fails: consoles call its `inspect`, as for errors of libraries that describe a query in it. */
export function GET(request: Request): never {
  const error = new Error(`unprintable ${query(request, 'id')}`);
  const inspect = (): never => {
    throw new Error('The inspect of the error failed.');
  };
  throw Object.assign(error, {
    [Symbol.for('nodejs.util.inspect.custom')]: inspect,
    [Symbol.for('Deno.customInspect')]: inspect,
  });
}
