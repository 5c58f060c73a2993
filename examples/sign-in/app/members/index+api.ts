import { sessions } from '../../server/sessions.ts';

/** GET /members: a page that the middleware protects. */
export async function GET(request: Request): Promise<Response> {
  const session = await sessions.read(request);
  const name = String(session?.claims['name'] ?? session?.subject);
  const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Members</title>
  <h1>Members</h1>
  <p>Only users who are signed in see this, such as ${escapeHtml(name)}. <a href="/">Back</a></p>
</html>
`;
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
