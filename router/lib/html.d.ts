import type { ReactNode } from 'react';
import type { HtmlProps } from './site.ts';
/** The document when the app has no `+html`. */
export declare function DefaultHtml({ children }: HtmlProps): ReactNode;
