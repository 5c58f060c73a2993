/** Texts shorter than this are not found. */
const WINDOW = 8;

/** A text, and the position of the eight characters that it is looked up by. */
interface Candidate {
  text: string;
  start: number;
}

/**
 * Prepares the search for many texts at once. Each is looked up by eight of its characters, so the search time grows
 * with the size of the searched text and hardly with the number of texts.
 *
 * @returns a search that returns the texts found in its argument.
 */
export function createTextFinder(texts: readonly string[]): (text: string) => ReadonlySet<string> {
  const byWindow = new Map<string, Candidate[]>();
  // Three of the characters rule out most positions, without creating a string for the lookup.
  const hints = new Uint8Array(1 << 16);
  for (const text of texts) {
    if (text.length < WINDOW) continue;
    // Many texts, such as URLs, start or end alike: the least crowded position is chosen.
    const last = text.length - WINDOW;
    let best: { window: string; start: number; others: Candidate[] } | undefined;
    for (const start of [0, last, last >> 1, last >> 2, last - (last >> 2)]) {
      const window = text.slice(start, start + WINDOW);
      const others = byWindow.get(window) ?? [];
      if (!best || others.length < best.others.length) best = { window, start, others };
    }
    if (!best) continue;
    byWindow.set(best.window, best.others);
    best.others.push({ text, start: best.start });
    hints[toHint(text, best.start)] = 1;
  }
  return (text) => {
    const found = new Set<string>();
    for (let offset = 0; byWindow.size > 0 && offset + WINDOW <= text.length; offset++) {
      if (hints[toHint(text, offset)] === 0) continue;
      for (const candidate of byWindow.get(text.slice(offset, offset + WINDOW)) ?? []) {
        if (text.startsWith(candidate.text, offset - candidate.start)) found.add(candidate.text);
      }
    }
    return found;
  };
}

function toHint(text: string, offset: number): number {
  const [first, last] = [text.charCodeAt(offset), text.charCodeAt(offset + WINDOW - 1)];
  return ((first * 251) ^ (last * 2311) ^ (text.charCodeAt(offset + 3) * 31)) & 0xff_ff;
}
