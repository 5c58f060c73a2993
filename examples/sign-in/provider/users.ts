/** A user of the local provider. */
export interface User {
  id: string;
  name: string;
  email: string;
}

/** All users who can sign in, without a password. */
export const users: readonly User[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.test' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.test' },
];
