/** What routes, middleware and loaders tell one another: they see the same Map when they have the same module. */
export const notes = new Map<string, unknown>();

/** A class whose instances one route makes and another checks. */
export class Ticket {
  readonly number = 1;
}
