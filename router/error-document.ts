const STYLE = `:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}
body{display:grid;min-height:90vh;place-content:center;padding:0 1.5rem;text-align:center}
h1{font-size:1.5rem;margin:0}p{margin:.5rem 0 0;opacity:.7}`;

/** A document for an error that the app has no page for. It uses no app code, since that may be what failed. */
export function toErrorDocument({ status, message }: { status: number; message: string }): string {
  const text = escape(message);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text}</h1>
<p>${status}</p>
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
