import { expect, it } from 'vitest';

import { checkRouteExports, showsHandlers } from './check-exports.ts';

const toRoute = (source: string) => ({ file: 'app/a+api.ts', source, exports: ['GET'] });

it.each([
  'export function GET() {}',
  'export async function GET<T>(request: Request): Promise<T> { return wait(request); }',
  'export const GET = () => Response.json(1);',
  'export const GET = async (request: Request, { id }: Params): Promise<Response> => find(id);',
  'export const GET: Handler = request => answer(request);',
])('reads %s without parsing it', (source) => {
  expect(showsHandlers(toRoute(source))).toBe(true);
  expect(checkRouteExports(toRoute(source))).toEqual({ methods: ['GET'], problems: [] });
});

it.each([
  'export const GET = 5;',
  'export const GET = ("a) => b");',
  'export const GET = `(a) => b`;',
  'export const GET = (1) + run(() => 2);',
  'export const GET = { GET: () => 1 };',
  'export class GET {}',
  '// export function GET() {}\nexport const GET = 5;',
  '/* export const GET = () => 1 */ export const \\u0047ET = 5;',
])('parses %s, which is no function', (source) => {
  expect(showsHandlers(toRoute(source))).toBe(false);
  expect(checkRouteExports(toRoute(source)).problems).toMatchObject([{ file: 'app/a+api.ts' }]);
});
