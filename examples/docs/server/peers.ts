import { readDocument } from './document.ts';
import { renderMarkdown } from './markdown.ts';
import { toMatrix } from './matrix.ts';
import type { Matrix } from './matrix.ts';
import { readParts } from './tables.ts';

const FILE = 'docs/peers.md';
const QUALITY = 'quality: ';

/** The content of docs/peers.md. */
export interface Peers {
  title: string;
  /** The text above the tables of behaviours. */
  html: string;
  matrix: Matrix;
  file: string;
  editLink?: string | undefined;
}

/** Reads the results of other projects' servers. */
export async function readPeers(): Promise<Peers> {
  const { title, file, editLink } = await readDocument('peers.md');
  const [summary, ...parts] = await readParts('peers.md');
  const matrix = toMatrix(parts, ({ name: text, source, results }, numberOf) => {
    const { name, script } = parseName(text);
    const cells = results.map((sign) =>
      sign === '✗' || sign === '○'
        ? numberOf({ sign, html: renderMarkdown(toReason(source, script), FILE).html })
        : sign,
    );
    return { name, source, cells };
  });
  return { title, html: renderMarkdown(summary?.text ?? '', FILE).html, matrix, file, editLink };
}

/** The name of a behaviour with a script is a link to that script. */
function parseName(text: string): { name: string; script?: string | undefined } {
  const [, name = text, script] = /^\[(.+)\]\((.+)\)$/.exec(text) ?? [];
  return { name, script };
}

function toReason(source: string, script: string | undefined): string {
  const why = source.startsWith(QUALITY)
    ? `Not shown. No standard requires it; it is of quality: ${source.slice(QUALITY.length)}.`
    : `Not shown. ${source} requires it.`;
  return script === undefined ? why : `${why} [A script](${script}) shows it.`;
}
