export async function GET(): Promise<Response> {
  return new Response('Hello, world!');
}
