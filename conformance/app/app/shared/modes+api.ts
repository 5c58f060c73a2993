import * as es from '../../lib/modes/es.ts';
import sloppy from '../../lib/modes/sloppy.cjs';
import strict from '../../lib/modes/strict.cjs';

const frozen: { written?: boolean } = Object.freeze({});

function isStrict(): boolean {
  try {
    frozen.written = true;
    return false;
  } catch {
    return true;
  }
}

/** Which modules are in strict mode. */
export function GET(): Response {
  return Response.json({
    route: isStrict(),
    es: es.isStrict(frozen),
    strict: strict.isStrict(frozen),
    required: sloppy.isRequiredStrict(frozen),
    sloppy: sloppy.isStrict(frozen),
  });
}
