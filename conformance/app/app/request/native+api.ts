/** Uses the request where only a real Request will do. */
export async function POST(request: Request): Promise<Response> {
  const copy = new Request(request.clone());
  const rewritten = new Request('http://elsewhere.test/path', request.clone());
  const changed = new Request(request, { headers: { 'x-changed': 'yes' } });
  return Response.json({
    isRequest: request instanceof Request,
    tag: Object.prototype.toString.call(request),
    copied: [copy.method, copy.headers.get('x-sent'), await copy.text()],
    rewritten: [rewritten.url, rewritten.method, rewritten.headers.get('x-sent'), await rewritten.text()],
    changed: [changed.url, changed.headers.get('x-changed'), changed.headers.get('x-sent'), await changed.text()],
  });
}
