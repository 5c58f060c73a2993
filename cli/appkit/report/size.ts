/** Formats a size in bytes for people: `912 B`, `14.2 kB`, `3.1 MB`. A kilobyte is 1000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  // 999,950 bytes would round to "1000.0 kB".
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
