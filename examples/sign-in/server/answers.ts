/** What /config tells the page. */
export interface Config {
  issuer: string;
  clientId: string;
  scopes: string[];
}

/** What the page is told about the user. No token. */
export interface Profile {
  name: string;
  email: string | null;
  picture: string | null;
  scopes: string[];
  /** When the access token expires, in seconds since 1970. null: never. */
  expiresAt: number | null;
}
