/** What routes, middleware and loaders tell one another: they see the same Map when they have the same module. */
export const notes = new Map<string, unknown>();

/** A class whose instances one route makes and another checks. */
export class Ticket {
  readonly number = 1;
}

/** A default export, which a page must not take for the whole module. */
export default function describe(id: string): string {
  return `from the page of ${id}`;
}
