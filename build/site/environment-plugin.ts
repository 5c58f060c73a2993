import type { Plugin } from 'vite';

import { isEnvironment } from './vite-constants.ts';

/** Leaves code on the server the variables of the process, which some apps define away for packages in the browser. */
export function createEnvironmentPlugin(): Plugin {
  return {
    name: 'appkit:environment',
    configResolved({ environments }) {
      for (const environment of Object.values(environments)) {
        if (environment.consumer !== 'server') continue;
        const { define = {} } = environment;
        environment.define = Object.fromEntries(Object.entries(define).filter(([name]) => !isEnvironment(name)));
      }
    },
  };
}
