/** The part of Astro's first hook that the integration uses, so that this package installs without Astro. */
export interface AstroConfigSetup {
  updateConfig(config: { vite: { ssr: { noExternal: string[] } } }): unknown;
}

/** The same for the hook after it. */
export interface AstroConfigDone {
  setAdapter(adapter: {
    name: string;
    entrypointResolution: 'auto';
    serverEntrypoint: string;
    supportedAstroFeatures: Record<string, 'stable'>;
  }): void;
}

/** An Astro integration that sets the adapter. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:setup'(setup: AstroConfigSetup): void;
    'astro:config:done'(setup: AstroConfigDone): void;
  };
}

/**
 * The adapter of Astro 7: makes a server that `appkit export --from astro` finds.
 *
 * `Astro.clientAddress` is the address trusted by `trustProxy`, and `Astro.locals.platform` is what the host provides.
 */
export function appkit(): AstroIntegration {
  return {
    name: 'appkit-build',
    hooks: {
      // The server entry is bundled with the site.
      'astro:config:setup': ({ updateConfig }) =>
        void updateConfig({ vite: { ssr: { noExternal: ['appkit-build'] } } }),
      'astro:config:done'({ setAdapter }) {
        setAdapter({
          name: 'appkit-build',
          entrypointResolution: 'auto',
          serverEntrypoint: 'appkit-build/astro-server',
          supportedAstroFeatures: {
            staticOutput: 'stable',
            hybridOutput: 'stable',
            serverOutput: 'stable',
          },
        });
      },
    },
  };
}
