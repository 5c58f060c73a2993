import type { Token, Tokens } from 'marked';

const LONGEST = 180;

/** A description of a page: the sentences of its first paragraph that fit. */
export function describePage(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  if (!paragraph) throw new Error('The page has no paragraph. Let it begin with one that says what it is about.');
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

/** The text of tokens, without what marks them. */
export function toText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? toText(token.tokens) : 'text' in token ? token.text : ''))
    .join('');
}
