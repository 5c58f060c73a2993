import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { prefetchPage } from './navigation.ts';
import type { Href } from './register.ts';

/** What {@link Link} takes beside the attributes of `<a>`. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the app, absolute or relative to the page, or any URL. */
  href: Href;
  /** Take the place of this page in the history. Default: `false`. */
  replace?: boolean;
  /** Load the code of the page once the pointer or the focus is on the link. Default: `true`. */
  prefetch?: boolean;
}

/** A link to a page, which is shown without loading the document anew. To anything else it is a link like any other. */
export function Link({ href, prefetch = true, onPointerEnter, onFocus, ...rest }: LinkProps): ReactNode {
  const warm = (): void => {
    if (prefetch) prefetchPage(href);
  };
  return (
    <RouterLink
      {...rest}
      to={href}
      onPointerEnter={(event) => {
        warm();
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        warm();
        onFocus?.(event);
      }}
    />
  );
}
