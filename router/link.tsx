import { useCallback } from 'react';
import type { AnchorHTMLAttributes, MouseEvent, ReactNode, Ref, SyntheticEvent } from 'react';
import { withBase } from './base.ts';
import { findNavigator, prefetchPage } from './navigation.ts';
import type { Href } from './register.ts';
import { leadsToPart } from './same-page.ts';

/** The attributes of {@link Link}, next to those of `<a>`. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the app, without the base of its config, a reference that is relative to the page, or any URL. */
  href: Href;
  /** Replace this page in the history. Default: `false`. */
  replace?: boolean;
  /**
   * When to load the code and the data of the page: once the pointer or the focus is on the link (`intent`), once the
   * link is in view (`viewport`), or when the visitor goes there (`none`). Default: `intent`.
   */
  prefetch?: 'intent' | 'viewport' | 'none';
  /** Is given the `<a>`. */
  ref?: Ref<HTMLAnchorElement>;
  /** Animate the change to the next page, where the browser can: `document.startViewTransition`. Default: `false`. */
  viewTransition?: boolean;
}

/** A link to a page, which is shown without loading a document. For other URLs it is a plain link. */
export function Link({
  href,
  replace,
  prefetch = 'intent',
  viewTransition,
  onClick,
  onPointerEnter,
  onFocus,
  ref,
  ...rest
}: LinkProps): ReactNode {
  const url = withBase(href);
  const warm = ({ currentTarget: link }: SyntheticEvent<HTMLAnchorElement>): void => {
    if (prefetch === 'intent' && !leadsToPart(link)) prefetchPage(link);
  };
  const attach = useCallback(
    (link: HTMLAnchorElement) => {
      const stopWatching = prefetch === 'viewport' && !leadsToPart(link) ? prefetchInView(link) : undefined;
      const detach = attachRef(ref, link);
      return () => {
        stopWatching?.();
        detach();
      };
    },
    [url, prefetch, ref],
  );
  return (
    <a
      {...rest}
      ref={attach}
      href={url}
      onClick={(event) => {
        onClick?.(event);
        const navigator = findNavigator();
        if (!navigator || !isPlain(event)) return;
        const { currentTarget: link } = event;
        if (leadsToPart(link) && !replace) return;
        event.preventDefault();
        void navigator.navigate(link.href, { replace, viewTransition });
      }}
      onPointerEnter={(event) => {
        warm(event);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        warm(event);
        onFocus?.(event);
      }}
    />
  );
}

/** Whether a click just goes to a same-origin URL in this window. */
function isPlain(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { currentTarget: link, button, metaKey, altKey, ctrlKey, shiftKey } = event;
  if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return false;
  return link.origin === location.origin && ['', '_self'].includes(link.target) && !link.hasAttribute('download');
}

function attachRef(ref: Ref<HTMLAnchorElement> | undefined, link: HTMLAnchorElement): () => void {
  if (typeof ref === 'function') {
    const detach = ref(link);
    return typeof detach === 'function' ? detach : () => void ref(null);
  }
  if (!ref) return () => undefined;
  ref.current = link;
  return () => {
    ref.current = null;
  };
}

function prefetchInView(link: HTMLAnchorElement): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    prefetchPage(link);
  });
  observer.observe(link);
  return () => observer.disconnect();
}
