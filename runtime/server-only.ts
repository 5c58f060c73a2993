/**
 * Marks a module as server code: `import 'appkit-server/server-only'`. If the client would contain the module, the export fails and shows the
 * chain of imports that leads there.
 *
 * @module
 */
// oxlint-disable-next-line unicorn/require-module-specifiers -- It is a module, and exports nothing.
export {};
