import { STATUS_CODES } from 'node:http';

/** A description of a status, which OpenAPI requires. */
export function reasonPhrase(status: string): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}
