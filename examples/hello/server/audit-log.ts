export interface AuditEntry {
  at: string;
  what: string;
}

const AUDIT_LOG = Symbol.for('hello.audit-log');
const MAX_ENTRIES = 100;

/** The latest entries, the newest first. On globalThis for the reason given in todos.ts. */
export function auditLog(): AuditEntry[] {
  const shared = globalThis as { [AUDIT_LOG]?: AuditEntry[] };
  shared[AUDIT_LOG] ??= [];
  return shared[AUDIT_LOG];
}

/** Writes an entry. Asynchronous, as it would be with a database: run it as a task, so that no client waits for it. */
export async function writeAuditLog(what: string): Promise<void> {
  const entries = auditLog();
  entries.unshift({ at: new Date().toISOString(), what });
  entries.length = Math.min(entries.length, MAX_ENTRIES);
}
