import { environment } from 'appkit-server';

export function GET(): Response {
  return Response.json({ environment: environment() });
}

/** The process's environment, read at run time. */
export function POST(): Response {
  return Response.json({
    secret: process.env.CONFORMANCE_SECRET ?? null,
    public: process.env.APPKIT_PUBLIC_NAME ?? null,
    mode: process.env.NODE_ENV ?? null,
    fromFile: process.env.CONFORMANCE_FROM_FILE ?? null,
  });
}
