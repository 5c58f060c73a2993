export interface AuditEntry {
  at: string;
  what: string;
}

const MAX_ENTRIES = 100;

/** The latest entries, the newest first. */
export const auditLog: AuditEntry[] = [];

/** Writes an entry. Asynchronous, as with a database: run it as a task, so that no client waits for it. */
export async function writeAuditLog(what: string): Promise<void> {
  auditLog.unshift({ at: new Date().toISOString(), what });
  auditLog.length = Math.min(auditLog.length, MAX_ENTRIES);
}
