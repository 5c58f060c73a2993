import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
/** The document when the app has no `+html`. */
export function DefaultHtml({ children }) {
    return (_jsxs("html", { lang: "en", children: [_jsxs("head", { children: [_jsx("meta", { charSet: "utf-8" }), _jsx("meta", { name: "viewport", content: "width=device-width, initial-scale=1" })] }), _jsx("body", { children: children })] }));
}
