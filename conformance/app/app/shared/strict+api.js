'use strict';

const frozen = Object.freeze({});

/** Whether code of this module is in strict mode. */
function isStrict() {
  try {
    frozen.written = true;
    return false;
  } catch {
    return true;
  }
}

exports.GET = () => Response.json(isStrict());
