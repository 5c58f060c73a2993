import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

// Saves for serve.mjs what wrangler reads from wrangler.jsonc: loading wrangler takes longer than starting workerd.
const requireTool = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { unstable_readConfig: readConfig } = requireTool('wrangler');
await writeFile('config.json', JSON.stringify(readConfig({ config: 'wrangler.jsonc' }, { hideWarnings: true })));
