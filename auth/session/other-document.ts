import type { Answer } from './send.ts';

/** Where the document was asked for, and how to ask elsewhere. */
interface Asked {
  issuer: string;
  url: string;
  fetch: (from: string) => Promise<Answer>;
}

/** Fetches a discovery document that is not quite where OpenID Connect says, or returns the first answer. */
export async function fetchOther(first: Answer, { issuer, url, fetch }: Asked): Promise<Answer> {
  const answer = isRedirectToSlash(first, url) ? await fetch(`${url}/`) : first;
  // A server of OAuth without OpenID Connect has its document there (RFC 8414 section 3).
  return answer.status === 404 ? fetch(oauthUrl(issuer)) : answer;
}

// Django OAuth Toolkit before 2.4 does so, and sites of WordPress. The request goes where the first one went, whatever else the redirect says. A page is not
// told where it leads.
function isRedirectToSlash({ headers, status }: Answer, url: string): boolean {
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  return isRedirect && (headers.get('location') ?? `${url}/`).endsWith(`${new URL(url).pathname}/`);
}

function oauthUrl(issuer: string): string {
  return issuer.replace(/\/$/, '').replace(/^\w+:\/\/[^/]+/, '$&/.well-known/oauth-authorization-server');
}
