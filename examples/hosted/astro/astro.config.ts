import { appkit } from 'appkit-build/astro';
import { defineConfig } from 'astro/config';

// Astro's own check refuses forms from other origins. It needs to know its own origin: see trustProxy.
export default defineConfig({ output: 'server', adapter: appkit() });
