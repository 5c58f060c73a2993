import { runCommand } from '../run-command.ts';

const PROGRAM = `
import { loadAsync } from 'appkit-auth-session/core';
import { getLoopbackRedirectUrl } from 'appkit-web-browser';

const redirectUri = await getLoopbackRedirectUrl();
const discovery = {
  authorizationEndpoint: 'https://provider.example/authorize',
  tokenEndpoint: redirectUri,
  discoveryDocument: { issuer: 'https://provider.example' },
};
const request = await loadAsync({ clientId: 'client', redirectUri, scopes: ['openid'] }, discovery);
const parameters = new URL(request.url).searchParams;
if (!/^[\\w-]{43}$/.test(parameters.get('code_challenge'))) throw new Error(request.url);

const { params } = await request.parseReturnUrlAsync(redirectUri + '?code=c&state=' + request.state);
const refused = await request.exchangeAsync({ params }, discovery).catch((error) => error.cause?.cause?.code);
// Nobody listens there any more.
if (refused !== 'ECONNREFUSED') throw new Error('The exchange ended as ' + refused);
`;

/**
 * Creates an authorization request, reads an answer and requests tokens, without React.
 *
 * @param node – the executable of Node.
 * @param folder – where the packages of sign-in are installed.
 * @throws Error with what went wrong.
 */
export async function checkSignIn(node: string, folder: string): Promise<void> {
  await runCommand([node, '--input-type=module', '--eval', PROGRAM], { cwd: folder });
}
