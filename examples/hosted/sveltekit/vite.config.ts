import { sveltekit } from '@sveltejs/kit/vite';
import { adapter } from 'appkit-build/sveltekit';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [sveltekit({ adapter: adapter() })] });
