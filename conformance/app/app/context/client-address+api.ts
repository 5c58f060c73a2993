import { clientAddress } from 'appkit-server';

export function GET(): Response {
  return Response.json({ address: clientAddress() ?? null });
}
