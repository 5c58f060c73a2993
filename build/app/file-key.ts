/** Equal for names that some file systems and hosts take for one: they ignore case, or how an accent is written. */
export function toFileKey(name: string): string {
  return name.normalize().toLowerCase();
}
