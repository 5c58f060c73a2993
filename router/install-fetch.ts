// Where there is a page, `fetch('/hello')` goes to its origin already.
// oxlint-disable-next-line unicorn/require-module-specifiers -- nothing is what it does
export {};
