// Codes that the authorization endpoint has too and whose names do not explain them; TokenError has the others.
const descriptions: Record<string, string> = {
  // RFC 6749 section 4.1.2.1.
  invalid_request: 'A parameter is missing, wrong or repeated.',
  unauthorized_client: 'This client may not use this method.',
  access_denied: 'The user or the authorization server has refused.',
  unsupported_response_type: 'The authorization server does not know this response type.',
  invalid_scope: 'A scope is unknown, malformed or not allowed.',
  server_error: 'The authorization server failed.',
  temporarily_unavailable: 'The authorization server is overloaded or down.',
  // OpenID Connect Core section 3.1.2.6.
  interaction_required: 'The user would have to be asked, which prompt=none forbids.',
  login_required: 'The user would have to sign in, which prompt=none forbids.',
  account_selection_required: 'The user would have to choose an account, which prompt=none forbids.',
  consent_required: 'The user would have to consent, which prompt=none forbids.',
};

/** Our text for a code of the standards. */
export function describeError(code: string): string | undefined {
  return Object.hasOwn(descriptions, code) ? descriptions[code] : undefined;
}
