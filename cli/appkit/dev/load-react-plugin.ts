import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginOption } from 'vite';

/** The package that keeps the state of changed components. It is an optional peer. */
export const REACT_PLUGIN = '@vitejs/plugin-react';

/** Loads the Vite plugin for React from where the app is, if it is installed there. */
export async function loadReactPlugin(projectRoot: string): Promise<PluginOption | undefined> {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  let file: string;
  try {
    file = resolve(REACT_PLUGIN);
  } catch {
    return undefined;
  }
  const { default: react } = (await import(pathToFileURL(file).href)) as { default: () => PluginOption };
  return react();
}
