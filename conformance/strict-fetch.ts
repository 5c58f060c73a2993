import { readFile, writeFile } from 'node:fs/promises';

/** Runs a command while an `app.json` has the option strictFetch. Other hosts start the app from the same file later. */
export async function withStrictFetch(file: string, run: () => Promise<unknown>): Promise<void> {
  const own = await readFile(file, 'utf8');
  const config = JSON.parse(own) as AppConfig & { expo?: AppConfig };
  const inner = config.expo ?? config;
  const [plugin = 'appkit-router'] = inner.plugins;
  const [name, options] = typeof plugin === 'string' ? [plugin, {}] : plugin;
  inner.plugins = [[name, { ...options, strictFetch: true }]];
  await writeFile(file, JSON.stringify(config));
  try {
    await run();
  } finally {
    await writeFile(file, own);
  }
}

type AppConfig = { plugins: (string | [string, object])[] };
