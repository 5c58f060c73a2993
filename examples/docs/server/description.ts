import type { Token, Tokens } from 'marked';

const LONGEST = 180;

/** The description of a page: as many sentences of its first paragraph as fit. */
export function describePage(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  if (!paragraph)
    throw new Error('The page has no paragraph. Begin it with a paragraph that says what the page is about.');
  const text = toText((paragraph as Tokens.Paragraph).tokens)
    .replaceAll(/\s+/g, ' ')
    .trim();
  let description = '';
  for (const sentence of text.match(/.+?[.:!?](?=\s|$)|.+$/g) ?? []) {
    if (description !== '' && description.length + sentence.length > LONGEST) break;
    description += sentence;
  }
  return description.replace(/:$/, '.');
}

/** The text of tokens, without markup. */
export function toText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? toText(token.tokens) : 'text' in token ? token.text : ''))
    .join('');
}
