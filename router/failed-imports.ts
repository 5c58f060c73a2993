/** Errors of imports that have failed. */
const failed = new WeakSet<object>();

/** From now on, notes the errors of code that cannot be loaded. Vite tells of them, for each `import()` of the client. */
export function noteFailedImports(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown }; // as documented by Vite
    if (payload instanceof Error) failed.add(payload);
  });
}

/** Whether it is the error of code that cannot be loaded. `lazy` of React keeps it for as long as the document is there. */
export function isOfFailedImport(error: unknown): boolean {
  return error instanceof Error && failed.has(error);
}
