/**
 * The information about a session that its redirect page needs. Kept in localStorage, which the popup shares even
 * when a Cross-Origin-Opener-Policy has cut it off from the page that opened it.
 */
export interface SessionRecord {
  /** The id of the session. Random, so that other tabs cannot guess it. */
  handle: string;
  redirectUrl: string;
  /** The parameter `state` of the URL that was opened, null when it has none. */
  state: string | null;
  mode: 'popup' | 'redirect';
  /** When the session began, in milliseconds since 1970. */
  startedAt: number;
  /** Whether the session has ended, although its popup may still come back. */
  isOver?: true;
}

const PREFIX = 'appkit-auth-session:';
// A popup that was left open overnight no longer gets an answer.
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The storage key of a session's record. */
function recordKey(handle: string): string {
  return `${PREFIX}record:${handle}`;
}

/** The storage key under which a session is answered. */
export function answerKey(handle: string): string {
  return `${PREFIX}answer:${handle}`;
}

/** The name of the channel on which a session is answered. */
export function channelName(handle: string): string {
  return PREFIX + handle;
}

/** Stores a record, and drops expired ones. */
export function keepRecord(record: SessionRecord): void {
  for (const old of listRecords()) {
    if (record.startedAt - old.startedAt > MAX_AGE_MS) dropSession(old.handle);
  }
  localStorage.setItem(recordKey(record.handle), JSON.stringify(record));
}

/** Drops the record of a session and its answer. */
export function dropSession(handle: string): void {
  localStorage.removeItem(recordKey(handle));
  localStorage.removeItem(answerKey(handle));
}

/** Every record of this origin, the latest first. */
export function listRecords(): SessionRecord[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(recordKey('')))
    .flatMap((key) => parseRecord(localStorage.getItem(key)))
    .toSorted((a, b) => b.startedAt - a.startedAt);
}

function parseRecord(text: string | null): SessionRecord[] {
  try {
    const value = JSON.parse(text ?? '') as SessionRecord;
    return typeof value.handle === 'string' && typeof value.redirectUrl === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
