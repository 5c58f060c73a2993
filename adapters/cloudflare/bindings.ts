const key = Symbol.for('appkit.cloudflareBindings');
const shared = globalThis as { [key]?: unknown };

/**
 * The bindings of the running Worker: its KV namespaces, buckets, databases, services and variables, like the `env` of its `fetch`. Text
 * variables are also in `process.env`, on every host.
 *
 * ```ts
 * const { SESSIONS } = bindings<{ SESSIONS: KVNamespace }>();
 * ```
 *
 * @returns the same object for all requests: a Worker's bindings are fixed when it is deployed.
 * @throws Error on any other host, and before the first request.
 */
export function bindings<Bindings extends object>(): Bindings {
  const kept = shared[key];
  if (typeof kept === 'object' && kept !== null) return kept as Bindings;
  throw new Error(
    'bindings() was called where there are no bindings: not in a Cloudflare Worker, or before its first request. Call it in a ' +
      'route of an app that runs through createRequestHandler of appkit-server/adapter/cloudflare.',
  );
}

/** Remembers the bindings for {@link bindings}: every bundled route has its own copy of that function. */
export function keepBindings(env: unknown): void {
  shared[key] = env;
}
