const values: Record<string, unknown> = {
  error: new Error('secret message in /secret/path'),
  text: 'secret text',
  undefined: undefined,
  null: null,
  object: { status: 418, message: 'secret object' },
};

export function GET(request: Request): Response {
  throw values[new URL(request.url).searchParams.get('value') ?? 'error'];
}

export async function POST(): Promise<Response> {
  await Promise.resolve();
  throw new Error('secret message in /secret/path');
}
