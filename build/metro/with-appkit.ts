import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { createGuardedResolver } from './guarded-resolver.ts';
import type { WrappedConfig } from './metro-types.ts';
import { writeNativeFiles } from './native-files.ts';

/** The options of {@link withAppkit}. */
export interface AppkitMetroOptions {
  /** The app's folder, with its `app.json`. Default: the `projectRoot` of the Metro config. */
  projectRoot?: string;
  /** The port of `appkit start`, on the machine that Metro runs on. Default: 8082, its port when Metro has 8081. */
  developmentPort?: number;
}

/**
 * Wraps a Metro config, so that no bundle contains server code: no `+api` or `+middleware` file and nothing that only
 * they import, no `loader` of a page, no `appkit-server` and no module that imports `server-only`. A client file that
 * imports one fails to build with an error that names the chain of imports.
 *
 * It also tells the `fetch` of `appkit-router` where the server is, from the app config, and sets the variables of `process.env` whose names
 * begin with `APPKIT_PUBLIC_`, as they are when Metro starts. It writes to `.appkit/native`.
 *
 * @param config – the whole config, as `getDefaultConfig` gives it, with its `resolveRequest` and
 * `babelTransformerPath`, which keep working.
 * @throws Error when the app config cannot be read; TypeError for a config without a transformer or for an invalid
 * port.
 */
export function withAppkit<Config extends object>(config: Config, options: AppkitMetroOptions = {}): Config {
  const { resolver, serializer, transformer, ...wrapped }: WrappedConfig = config;
  const babelTransformerPath = transformer?.babelTransformerPath;
  if (babelTransformerPath === undefined) {
    throw new TypeError(
      'withAppkit was called with a config that has no transformer.babelTransformerPath. ' +
        'Pass the complete config: the result of getDefaultConfig from @react-native/metro-config, or one merged with it.',
    );
  }
  const { developmentPort = 8082 } = options;
  if (!Number.isInteger(developmentPort) || developmentPort < 1 || developmentPort > 65_535) {
    throw new TypeError(
      `withAppkit was called with developmentPort: ${developmentPort}. Make it a port, such as 8082.`,
    );
  }
  // Metro follows links.
  const projectRoot = realpathSync(options.projectRoot ?? wrapped.projectRoot ?? process.cwd());
  // Metro would look for a bare name next to its own files.
  const babelTransformer = createRequire(path.join(projectRoot, 'metro.config.js')).resolve(babelTransformerPath);
  const { originFile, environmentFile, transformerFile } = writeNativeFiles(projectRoot, {
    babelTransformer,
    developmentPort,
  });
  const resolveRequest = createGuardedResolver({ projectRoot, originFile, inner: resolver?.resolveRequest });
  return {
    ...config,
    resolver: { ...resolver, resolveRequest },
    serializer: {
      ...serializer,
      getPolyfills: (context: { platform: string | null }) => [
        ...(serializer?.getPolyfills?.(context) ?? []),
        environmentFile,
      ],
    },
    transformer: { ...transformer, babelTransformerPath: transformerFile },
  };
}
