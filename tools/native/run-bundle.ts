import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import vm from 'node:vm';

/** Where the development server of Metro would be, as an Android emulator names it. */
const SCRIPT_URL = 'http://10.0.2.2:8081/index.bundle?platform=android&dev=true';

/**
 * Runs a bundle of React Native without a device, where there is nothing of Node's: no `URL`, no `fetch`, no timers.
 *
 * @returns what the bundle put into `globalThis.ran`.
 */
export async function runBundle(file: string): Promise<unknown> {
  const context = vm.createContext({
    // Hermes has these.
    TextEncoder,
    TextDecoder,
    atob,
    btoa,
    // An app has it from a polyfill or from the native half of appkit-crypto.
    crypto: webcrypto,
    // The natives that the URL classes and the fetch ask for.
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
