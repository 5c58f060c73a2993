import type { SessionServerOptions } from 'appkit-auth-session/server';

const DEFAULT_SCOPES = 'openid profile email offline_access';

/** Read when a request is answered: a build contains no settings and no secrets. */
export function settings(): SessionServerOptions {
  return {
    issuer: required('ISSUER'),
    clientId: required('CLIENT_ID'),
    clientSecret: required('CLIENT_SECRET'),
    scopes: (process.env['SCOPES'] ?? DEFAULT_SCOPES).split(' '),
    // Several during rotation: the first one encrypts.
    secrets: required('SESSION_SECRET').split(' '),
    // An empty value counts as missing.
    origin: process.env['APP_ORIGIN'] || undefined,
    errorPath: '/',
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set. README.md explains each variable.`);
  return value;
}
