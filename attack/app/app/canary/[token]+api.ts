/** Requested after every attack. */
export function GET(_request: Request, { token }: { token: string }): Response {
  return new Response(`canary ${token}`);
}
