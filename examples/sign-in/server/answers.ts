/** What the page learns about the user. No token. */
export interface Profile {
  name: string;
  email: string | null;
  picture: string | null;
  scopes: string[];
  /** When the user has to sign in again, in seconds since 1970. */
  endsAt: number;
}

/** The provider's answer to an access token that the server has sent it. */
export interface UserInfo {
  claims: Record<string, unknown>;
}
