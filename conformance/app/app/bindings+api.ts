import { bindings } from 'appkit-server/adapter/cloudflare';

interface Bindings {
  CONFORMANCE_SECRET: string;
  CONFORMANCE_STORE: { put(key: string, value: string): Promise<void>; get(key: string): Promise<string | null> };
}

/** Writes the body to a store that is bound to the Worker, and reads it back. */
export async function POST(request: Request): Promise<Response> {
  const { CONFORMANCE_SECRET: secret, CONFORMANCE_STORE: store } = bindings<Bindings>();
  await store.put('key', await request.text());
  return Response.json({ secret, stored: await store.get('key') });
}
