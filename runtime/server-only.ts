/**
 * Marks a module as code of the server: `import 'appkit-server/server-only'`. An export whose client would have the module is
 * refused, with the chain of imports that leads there.
 *
 * @module
 */
// oxlint-disable-next-line unicorn/require-module-specifiers -- It is a module, and exports nothing.
export {};
