// In a page, `fetch('/hello')` already goes to its origin.
// oxlint-disable-next-line unicorn/require-module-specifiers -- nothing is what it does
export {};
