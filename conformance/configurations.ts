import type { StartOptions } from './host.ts';

// Starting a server takes longer than most behaviours do. So behaviours that need one option of the adapter, or one variable, share a server that
// has all of them: none affects another.

/** Options of the adapter, which reports errors through `onError`. */
export const withOptions: StartOptions = {
  options: { environment: 'preview', maxRequestBodySize: 1000, origins: ['https://shop.example'] },
  env: { NODE_ENV: 'staging' },
};

/** Variables of the process. */
export const withVariables: StartOptions = {
  env: { NODE_ENV: 'staging', CONFORMANCE_SECRET: 'a secret', APPKIT_PUBLIC_NAME: 'a name' },
};
