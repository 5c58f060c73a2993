import { locals } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';

declare module 'appkit-server' {
  interface Locals {
    user?: string;
  }
}

export default function middleware(): void {
  locals().user = cookies().get('session') ?? 'nobody';
}
