export function GET(): Response {
  throw new Error('unhandled');
}
