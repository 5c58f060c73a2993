import { sessions } from '../../server/sessions.ts';

/** /auth/sign-in, /auth/callback, /auth/sign-out and /auth/signed-out. */
export const { GET, POST } = sessions;
