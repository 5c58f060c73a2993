'use strict';

/** Whether code of this module is in strict mode. */
exports.isStrict = (frozen) => {
  try {
    frozen.written = true;
    return false;
  } catch {
    return true;
  }
};
