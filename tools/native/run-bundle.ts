import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import vm from 'node:vm';

/** The address of Metro's development server, as an Android emulator names it. */
const SCRIPT_URL = 'http://10.0.2.2:8081/index.bundle?platform=android&dev=true';

/**
 * Runs a bundle of React Native without a device, in a context without Node's globals: no `URL`, no `fetch`, no timers.
 *
 * @returns the value that the bundle put into `globalThis.ran`.
 */
export async function runBundle(file: string): Promise<unknown> {
  const context = vm.createContext({
    // Hermes has these.
    TextEncoder,
    TextDecoder,
    atob,
    btoa,
    // An app has this from a polyfill or from the native half of appkit-crypto.
    crypto: webcrypto,
    // The native modules that the URL classes and the fetch function request.
    nativeModuleProxy: {
      BlobModule: { getConstants: () => ({}) },
      SourceCode: { getConstants: () => ({ scriptURL: SCRIPT_URL }) },
    },
  });
  vm.runInContext('globalThis.global = globalThis.window = globalThis;', context);
  vm.runInContext(await readFile(file, 'utf8'), context, { filename: file });
  // Out of the other realm.
  return JSON.parse(JSON.stringify(await vm.runInContext('globalThis.ran', context)));
}
