import { countKept, listenFor } from '../../lib/answered-requests.ts';

export async function GET(): Promise<Response> {
  return Response.json(await countKept());
}

/** Reads the body by `formData()`, for which some hosts make a second Request. */
export async function POST(request: Request): Promise<Response> {
  listenFor(request);
  const form = await request.formData();
  return Response.json(Object.fromEntries(form));
}
