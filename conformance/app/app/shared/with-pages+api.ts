import '../../lib/shared/pages/third.ts';

/** Shares modules with a page. No behaviour asks for it. */
export function GET(): Response {
  return new Response('not asked');
}
