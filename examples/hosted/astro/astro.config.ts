import { appkit } from 'appkit-build/astro';
import { defineConfig } from 'astro/config';

// Forms of other origins are refused by the check of Astro, which needs its own origin to be right: see trustProxy.
export default defineConfig({ output: 'server', adapter: appkit() });
