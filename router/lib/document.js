import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
/** The element that tells the client what the server has rendered. */
const GIVEN_ID = 'appkit-page';
/** The whole document: the same on the server and on the client, so that React can take over what is there. */
export function Document({ Html, given, children, }) {
    return (_jsxs(Html, { children: [children, _jsx("script", { id: GIVEN_ID, type: "application/json", dangerouslySetInnerHTML: { __html: given } })] }));
}
/** Writes JSON that can stand in a `script` element: `<` could end it. */
export function writeGiven(given) {
    return JSON.stringify(given).replaceAll('<', String.raw `\u003c`);
}
/** Reads what {@link writeGiven} has written, as text and as what it says. */
export function readGiven() {
    const text = document.getElementById(GIVEN_ID)?.textContent ?? '{}';
    return { given: JSON.parse(text), text };
}
