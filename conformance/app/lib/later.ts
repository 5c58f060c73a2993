/** Loaded with a dynamic import. */
export function later(): string {
  return 'loaded later';
}
