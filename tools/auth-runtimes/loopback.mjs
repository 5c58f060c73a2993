// Signs in like a command-line tool: node loopback.mjs <issuer> <command of the browser, as JSON>
import { AuthRequest, fetchDiscoveryAsync } from 'appkit-auth-session/core';
import { getLoopbackRedirectUrl } from 'appkit-web-browser';

const [issuer, browserCommand] = process.argv.slice(2);
const discovery = await fetchDiscoveryAsync(issuer);
const redirectUri = await getLoopbackRedirectUrl();
const request = new AuthRequest({ clientId: 'public', redirectUri, scopes: ['openid'] });
try {
  const result = await request.promptAsync(discovery, { browserCommand: JSON.parse(browserCommand) });
  const { tokenType } = await request.exchangeAsync(result, discovery);
  console.log(JSON.stringify({ result: result.type, tokenType }));
} catch (error) {
  console.log(JSON.stringify({ error: error.code }));
}
