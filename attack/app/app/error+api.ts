/** Fails, with a text that no client may see. */
export function GET(): Response {
  throw new Error('SECRET-OF-A-ROUTE');
}
