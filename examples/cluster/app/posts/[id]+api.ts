import { cache, invalidate } from 'appkit-server';
import { renderPost, savePost } from '../../server/posts.ts';

export async function GET(_request: Request, { id }: { id: string }): Promise<Response> {
  const html = await renderPost(id);
  cache({ maxAge: 600, tags: [`post-${id}`] });
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

export async function PUT(request: Request, { id }: { id: string }): Promise<Response> {
  await savePost(id, await request.text());
  await invalidate(`post-${id}`);
  return new Response(null, { status: 204 });
}
