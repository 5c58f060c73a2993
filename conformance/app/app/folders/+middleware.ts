import { locals } from 'appkit-server';
import type { Next } from 'appkit-server';

declare module 'appkit-server' {
  interface Locals {
    /** The folder middleware that has run. */
    trail?: string[];
    visitor?: string;
  }
}

/** Marks every request it sees, then does what the query asks for. */
export default async function middleware(request: Request, next: Next): Promise<Response | undefined> {
  locals().trail = ['outer'];
  locals().visitor = request.headers.get('x-visitor') ?? 'nobody';
  switch (new URL(request.url).searchParams.get('folders')) {
    case 'stop':
      return new Response('stopped', { status: 401 });
    case 'change': {
      const response = await next();
      response.headers.set('x-seen', String(response.status));
      response.headers.append('set-cookie', 'outer=1');
      return response;
    }
    case 'replace':
      return new Response(`<${await (await next()).text()}>`, { status: 203 });
    case 'wrap': {
      const { body, headers, status } = await next();
      return new Response(body, { status, headers });
    }
    case 'discard':
      await next();
      return new Response('instead');
    case 'look':
      await next();
      return undefined;
    case 'twice':
      await next();
      return next();
    default:
      return undefined;
  }
}
