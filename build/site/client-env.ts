const PUBLIC = /^APPKIT_PUBLIC_\w/;

/** Answers whether client code may know an environment variable. */
export function isPublicVariable(name: string): boolean {
  return PUBLIC.test(name);
}

/**
 * What client code reads as `process.env`, for the option `define` of Vite's client environment: the variables named
 * `APPKIT_PUBLIC_*`, in whatever way it is read. Every other is undefined.
 */
export function toClientDefine(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = Object.keys(environment).filter(isPublicVariable).toSorted();
  const entries = names.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]] as const],
  );
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)])),
    'process.env': JSON.stringify(Object.fromEntries(entries)),
  };
}
