/** A page of the development server itself. */
export interface DevPage {
  title: string;
  /** CSS in addition to that of all pages. */
  style: string;
  /** HTML. */
  body: string;
  /** JavaScript. Default: the page has none. */
  script?: string;
}

/** Creates a page's document, for light and dark mode and for any width. */
export function toDevPage({ title, style, body, script }: DevPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --dim: light-dark(#6b6b76, #9a9aa8); --line: light-dark(#e3e3ea, #34343e); --red: light-dark(#b4232c, #ff7b7f); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #17171c); color: light-dark(#1c1c22, #ececf1); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
pre { font: 14px/1.5 ui-monospace, monospace; overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.dim, footer { color: var(--dim); }
footer { margin-top: 2rem; font-size: .85rem; }
`;

/** Escapes a text for use between tags and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
