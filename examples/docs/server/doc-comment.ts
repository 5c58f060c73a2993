import { parse, tokenizers } from 'comment-parser';

const HEADINGS: Readonly<Record<string, string>> = {
  deprecated: 'Deprecated',
  returns: 'Returns',
  see: 'See',
  throws: 'Throws',
};

/** Converts a TSDoc comment to Markdown: the text, then a list of its tags. */
export function toMarkdown(comment: string): string {
  const [block] = parse(comment, {
    spacing: 'preserve',
    tokenizers: [tokenizers.tag(), tokenizers.description('preserve')],
  });
  if (!block) return '';
  const tags = block.tags.map(({ tag, description }) => `- ${toItem(tag, description.trim())}`);
  return toCodeLinks([block.description.trim(), tags.join('\n')].filter((part) => part !== '').join('\n\n'));
}

function toItem(tag: string, text: string): string {
  if (tag !== 'param') return `**${HEADINGS[tag] ?? tag}** ${text}`;
  const [, name, description] = /^(\S+)\s*(?:[–-]\s*)?([\s\S]*)$/.exec(text) ?? [];
  return `\`${name}\` – ${description}`;
}

function toCodeLinks(text: string): string {
  return text.replaceAll(/\{@link ([^}|]+?)\}/g, '`$1`');
}
