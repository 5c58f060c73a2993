/** Whether the platform says that there is no network. Not every one says so. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}
