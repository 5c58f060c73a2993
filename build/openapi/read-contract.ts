/** A schema of any library: https://standardschema.dev. */
export interface StandardSchema {
  '~standard': {
    vendor: string;
    validate(value: unknown): unknown;
    /** Standard JSON Schema, if the library supports it. */
    jsonSchema?: Record<'input' | 'output', (options: { target: string }) => unknown>;
  };
}

/** The parts of a request that a contract may have schemas for. */
export const PARTS = ['path', 'query', 'headers', 'body'] as const;

/** What `contract()` of appkit-server records about a handler. */
export interface Contract {
  input: { [Part in (typeof PARTS)[number]]?: StandardSchema };
  /** By status. `default` if there is only one. */
  output: [status: string, schema: StandardSchema][];
  /** What it says about authentication, unchecked. */
  security?: unknown;
  /** The fields that an OpenAPI operation has under the same names. */
  notes: Record<string, unknown>;
}

/** Finds the contract that `contract()`, of any copy of appkit-server, has attached to a handler. */
export function readContract(handler: unknown): Contract | undefined {
  if (typeof handler !== 'function') return undefined;
  const definition = (handler as { '~contract'?: unknown })['~contract'];
  if (!isRecord(definition)) return undefined;
  const { input, output, security, ...rest } = definition;
  const given = isRecord(input) ? input : {};
  return {
    input: Object.fromEntries(PARTS.flatMap((part) => (isSchema(given[part]) ? [[part, given[part]]] : []))),
    output: isSchema(output) ? [['default', output]] : Object.entries(isRecord(output) ? output : {}).filter(hasSchema),
    security,
    notes: Object.fromEntries(NOTES.flatMap((name) => (rest[name] === undefined ? [] : [[name, rest[name]]]))),
  };
}

const NOTES = ['summary', 'description', 'operationId', 'tags', 'deprecated'];

function hasSchema(entry: [string, unknown]): entry is [string, StandardSchema] {
  return isSchema(entry[1]);
}

/** Arktype schemas are functions. */
function isSchema(value: unknown): value is StandardSchema {
  return (isRecord(value) || typeof value === 'function') && '~standard' in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
