import { createSession } from 'appkit-server/session';
import type { Session } from 'appkit-server/session';

interface Visitor {
  user: string;
  visits: number;
}

const [older, newer] = ['a secret of the past, 32 characters', 'a secret of today, of 32 characters'];

/** The session of the app by name: before and after a change of its secrets, and one that the visitor can read. */
export const sessions: Record<string, Session<Visitor>> = {
  older: createSession<Visitor>({ secrets: [older] }),
  both: createSession<Visitor>({ secrets: () => [newer, older] }),
  newer: createSession<Visitor>({ secrets: [newer] }),
  signed: createSession<Visitor>({ secrets: [newer], encrypted: false }),
};
