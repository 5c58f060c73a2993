import { ResponseError } from './errors.ts';

const CODES = [
  'invalid_grant',
  // As GitHub calls it.
  'bad_refresh_token',
  'invalid_id_token',
  // Microsoft Entra answers a refresh with these, such as when the user now has to prove more than a password.
  'consent_required',
  'interaction_required',
  'login_required',
];

/** Whether a refresh has ended a session: the provider wants the user to sign in again, or answered for another user. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ResponseError && CODES.includes(error.code);
}
