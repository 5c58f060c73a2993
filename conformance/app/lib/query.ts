/** A query parameter that the suite always sends. */
export function query(request: Request, name: string): string {
  const value = new URL(request.url).searchParams.get(name);
  if (value === null) throw new TypeError(`The fixture needs ?${name}= in ${request.url}.`);
  return value;
}
