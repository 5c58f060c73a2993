import type { AnchorHTMLAttributes, ReactNode } from 'react';
/** What {@link Link} takes beside the attributes of `<a>`. */
export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
    /** A path of the app, absolute or relative to the page, or any URL. */
    href: string;
    /** Take the place of this page in the history. Default: `false`. */
    replace?: boolean;
    /** Load the code of the page once the pointer or the focus is on the link. Default: `true`. */
    prefetch?: boolean;
}
/** A link to a page, which is shown without loading the document anew. To anything else it is a link like any other. */
export declare function Link({ href, prefetch, onPointerEnter, onFocus, ...rest }: LinkProps): ReactNode;
