// Bundled as an entry of examples/native and run with React Native's own URL classes and a fetch that writes down what it is
// asked for.
import { URL, URLSearchParams } from 'react-native/Libraries/Blob/URL';
import { AuthRequest } from 'appkit-auth-session';
import { fetch, fetchRoute } from 'appkit-router';
import { loadHello } from './client/load-hello';

Object.assign(globalThis, { URL, URLSearchParams });
const asked = [];
globalThis.fetch = async (url) => {
  asked.push(url);
  return { json: async () => ({ greeting: 'Hello' }) };
};

const tryTo = async (work) => {
  try {
    return await work();
  } catch (error) {
    return error.code ?? error.message;
  }
};

async function run() {
  const greeting = await loadHello();
  await fetchRoute('/items/[id]', { params: { id: 'a b' }, query: { q: 'c&d' } });
  await fetch('https://other.example/hello');
  const refused = [];
  for (const url of ['//evil.example/hello', '\\\\evil.example', '/\\evil.example', '\t/\n/evil.example', 'hello', ''])
    refused.push(await tryTo(() => fetch(url)));

  // Without a page, this replaces the global, which then accepts paths as well.
  require('appkit-router/install-fetch');
  await globalThis.fetch('/installed');
  await fetch('/twice');

  const redirectUri = 'com.example.app:/callback';
  const request = new AuthRequest({ clientId: 'example', redirectUri, responseType: 'token', usePKCE: false });
  await request.getAuthRequestConfigAsync();
  const { type, params } = request.parseReturnUrl(`${redirectUri}#access_token=a/b&state=${request.state}`);
  const code = new AuthRequest({ clientId: 'example', redirectUri });
  await code.getAuthRequestConfigAsync();
  const query = code.parseReturnUrl(`${redirectUri}?code=c%2Fd&state=${code.state}`);
  return {
    greeting,
    asked,
    refused,
    // This distinguishes React Native's class from a full one: it does not accept such a URL.
    isFullUrl: (await tryTo(() => new URL(`${redirectUri}#a=b`).protocol)) === 'com.example.app:',
    results: [type, params.access_token, query.type, query.params.code],
  };
}

globalThis.ran = run();
