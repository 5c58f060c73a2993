/** A user of the local provider. */
export interface User {
  id: string;
  name: string;
  email: string;
}

/** Everybody who can sign in. No password is asked. */
export const users: readonly User[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.test' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.test' },
];
