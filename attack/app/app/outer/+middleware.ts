import type { Next } from 'appkit-server';

export default function middleware(_request: Request, next: Next): Promise<Response> {
  return next();
}
