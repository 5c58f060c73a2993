import { AuthRequest, makeRedirectUri } from 'appkit-auth-session';
import { randomUUID } from 'appkit-crypto';
import { dismissAuthSession } from 'appkit-web-browser';

const ISSUER = 'https://id.example.com';

/** Signs the user in with the browser of the device. */
export async function signIn(): Promise<string> {
  const request = new AuthRequest({
    clientId: 'example',
    redirectUri: makeRedirectUri({ native: 'com.example.app:/callback' }),
    extraParams: { attempt: randomUUID() },
  });
  const { type } = await request.promptAsync({ authorizationEndpoint: `${ISSUER}/authorize` });
  return type;
}

/** Closes the browser of a sign-in that is in progress. */
export function giveUp(): void {
  dismissAuthSession();
}
