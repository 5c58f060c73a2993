import type { NitroConfig } from 'nitro/types';

const config: NitroConfig = { serverDir: '.', noExternals: true };
export default config;
