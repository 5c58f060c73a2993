import { STATUS_CODES } from 'node:http';

/** A description of a status; OpenAPI requires one. */
export function reasonPhrase(status: string): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}
