import type { ReactNode } from 'react';
import type { HtmlProps } from './site.ts';

/** The document when the app has no `+html`. */
export function DefaultHtml({ children }: HtmlProps): ReactNode {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </head>
      <body>{children}</body>
    </html>
  );
}
