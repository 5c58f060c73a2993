const required = require('./required.cjs');

/** Whether code of this module is in strict mode. */
exports.isStrict = (frozen) => {
  try {
    frozen.written = true;
    return false;
  } catch {
    return true;
  }
};

/** Whether code of the module that this one requires is in strict mode. */
exports.isRequiredStrict = (frozen) => required.isStrict(frozen);
