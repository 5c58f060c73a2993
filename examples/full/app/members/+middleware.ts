import { locals } from 'appkit-server';
import { session } from '../../server/session.ts';

declare module 'appkit-server' {
  interface Locals {
    member?: string;
  }
}

/** Runs before every page and route of this folder, and lets only signed-in users pass. */
export default async function guard(): Promise<Response | undefined> {
  const visitor = await session.get();
  if (!visitor) return new Response(null, { status: 303, headers: { location: '/sign-in' } });
  locals().member = visitor.name;
  return undefined;
}
