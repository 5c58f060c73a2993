/** Whether the platform reports that there is no network. Some platforms do not report it. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}
