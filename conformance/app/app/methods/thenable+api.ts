/** A handler may return any promise-like value. */
export function GET(): Response {
  const response = new Response('thenable');
  // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
  return { then: (resolve: (value: Response) => void) => resolve(response) } as unknown as Response;
}
