import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

// Keeps for serve.mjs what wrangler reads in wrangler.jsonc: to load wrangler takes longer than to start workerd.
const requireTool = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { unstable_readConfig: readConfig } = requireTool('wrangler');
await writeFile('config.json', JSON.stringify(readConfig({ config: 'wrangler.jsonc' }, { hideWarnings: true })));
