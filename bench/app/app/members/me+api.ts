import { locals } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';

export function GET(): Response {
  cookies().set('seen', '1', { maxAge: 60 });
  return Response.json({ user: locals().user, theme: cookies().get('theme') ?? 'light' });
}
