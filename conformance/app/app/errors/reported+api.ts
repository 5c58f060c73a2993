export function GET(request: Request): Response {
  throw new Error(`reported ${new URL(request.url).searchParams.get('id')}`);
}
