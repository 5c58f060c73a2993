import type { Profile } from '../server/answers.ts';
import { sessions } from '../server/sessions.ts';

/** GET /me: who is signed in. The page requests this, and receives no token. */
export const GET = sessions.withSession((_request, { claims, endsAt, scopes, subject }) => {
  const { email, name, picture } = claims;
  const profile: Profile = {
    name: text(name) ?? text(email) ?? subject,
    email: text(email),
    picture: text(picture),
    scopes,
    endsAt,
  };
  return Response.json(profile);
});

function text(claim: unknown): string | null {
  return typeof claim === 'string' ? claim : null;
}
