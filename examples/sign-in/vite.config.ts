import { defineConfig } from 'vite';

/** Builds the pages into public/, from where `appkit export` takes them. */
export default defineConfig({
  root: 'client',
  build: {
    outDir: '../public',
    emptyOutDir: true,
    rolldownOptions: { input: ['client/index.html'] },
  },
});
