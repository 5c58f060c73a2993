import { cookies } from 'appkit-server/cookies';

/** Answers with the cookies that exist after the middleware. */
export function GET(): Response {
  return Response.json(cookies().getAll());
}
