const PUBLIC = /^APPKIT_PUBLIC_\w/;

/** Whether client code may know an environment variable. */
export function isPublicVariable(name: string): boolean {
  return PUBLIC.test(name);
}

/**
 * The value of `process.env` in client code, for the option `define` of Vite's client environment: the variables named
 * `APPKIT_PUBLIC_*`, however they are read. All others are undefined.
 */
export function toClientDefine(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return { ...toPublicDefine(environment), 'process.env': toPublicJson(environment) };
}

/** The variables that client code may know, as JSON. */
export function toPublicJson(environment: Readonly<Record<string, string | undefined>>): string {
  return JSON.stringify(Object.fromEntries(listPublic(environment)));
}

/**
 * The same for the bundle that renders pages on the server, which shows what the client will show. All other variables
 * are those of the process that runs it.
 */
export function toPublicDefine(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    listPublic(environment).map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)]),
  );
}

function listPublic(environment: Readonly<Record<string, string | undefined>>): [name: string, value: string][] {
  return Object.entries(environment)
    .filter((entry): entry is [string, string] => isPublicVariable(entry[0]) && entry[1] !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
