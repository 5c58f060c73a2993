/** The provider, and how this app is known to it. */
export interface Settings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
}

const DEFAULT_SCOPES = 'openid profile email offline_access';

/** Read when a request is answered: a build holds no setting, and no secret. */
export function settings(): Settings {
  return {
    issuer: required('ISSUER'),
    clientId: required('CLIENT_ID'),
    clientSecret: required('CLIENT_SECRET'),
    scopes: (process.env['SCOPES'] ?? DEFAULT_SCOPES).split(' '),
  };
}

/** What session cookies are encrypted with. The same on every server of the app: any of them may get the next request. */
export function sessionSecret(): string {
  const secret = required('SESSION_SECRET');
  if (secret.length < 32) throw new Error('SESSION_SECRET is too short. Make one with: openssl rand -base64 32');
  return secret;
}

/**
 * Where the users find this app. Not `origin()`: that may be the `Origin` header, which is what a request is compared by.
 */
export function appOrigin(request: { url: string }): string {
  const setting = process.env['APP_ORIGIN'];
  if (!setting) return new URL(request.url).origin;
  // As browsers write it: without the slash at the end.
  if (URL.canParse(setting) && /^https?:/i.test(setting)) return new URL(setting).origin;
  throw new Error(`APP_ORIGIN is "${setting}". Write it with https:// or http://, such as https://app.example.`);
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set. README.md says what each one is.`);
  return value;
}
