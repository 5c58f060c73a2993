import { openAuthSessionAsync } from 'appkit-web-browser';
import { signIn } from './program.mjs';

// oxlint-disable-next-line import/no-default-export -- what a Worker is
export default {
  async fetch(request) {
    const { searchParams } = new URL(request.url);
    const outcome = await signIn(searchParams.get('issuer'), searchParams.get('user'));
    // A Worker has no browser to open, and no port to listen on.
    const { type } = await openAuthSessionAsync('https://provider.example/', 'http://127.0.0.1:1/callback');
    return Response.json({ ...outcome, prompt: type });
  },
};
