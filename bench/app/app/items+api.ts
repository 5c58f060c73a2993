const items = Array.from({ length: 160 }, (_, id) => ({
  id,
  name: `item number ${id}`,
  on: id % 2 === 0,
  tags: ['a', 'b'],
}));

/** 10 KB of JSON. */
export async function GET(): Promise<Response> {
  return Response.json({ items });
}
