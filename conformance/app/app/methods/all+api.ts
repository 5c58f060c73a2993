function answer(method: string): Response {
  return new Response(method, { headers: { 'x-method': method } });
}

export const GET = (): Response => answer('GET');
export const POST = async (): Promise<Response> => answer('POST');
export function PUT(): Response {
  return answer('PUT');
}
export async function PATCH(): Promise<Response> {
  return answer('PATCH');
}
async function remove(): Promise<Response> {
  return answer('DELETE');
}
export { remove as DELETE };
export function HEAD(): Response {
  return new Response(null, { headers: { 'x-method': 'HEAD' } });
}
export function OPTIONS(): Response {
  return answer('OPTIONS');
}
