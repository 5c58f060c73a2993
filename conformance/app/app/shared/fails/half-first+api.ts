import half from '../../../lib/shared/half.cjs';

/** Answers once the module has loaded, with all that it exports. */
export function GET(): Response {
  return Response.json(half);
}
