const results: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  object: { status: 200 },
  text: 'text',
  number: 200,
};

export function GET(_request: Request, { kind }: { kind: string }): Response {
  if (kind === 'error') return Response.error();
  return results[kind] as Response;
}
