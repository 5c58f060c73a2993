import { jsx as _jsx } from "react/jsx-runtime";
import { Link as RouterLink } from 'react-router';
import { prefetchPage } from './navigation.js';
/** A link to a page, which is shown without loading the document anew. To anything else it is a link like any other. */
export function Link({ href, prefetch = true, onPointerEnter, onFocus, ...rest }) {
    const warm = () => {
        if (prefetch)
            prefetchPage(href);
    };
    return (_jsx(RouterLink, { ...rest, to: href, onPointerEnter: (event) => {
            warm();
            onPointerEnter?.(event);
        }, onFocus: (event) => {
            warm();
            onFocus?.(event);
        } }));
}
