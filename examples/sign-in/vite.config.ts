import { defineConfig } from 'vite';

/** Builds the pages into public/, from which `appkit export` copies them. */
export default defineConfig({
  root: 'client',
  build: {
    outDir: '../public',
    emptyOutDir: true,
    rolldownOptions: { input: ['client/index.html'] },
  },
});
