exports.first = 1;
globalThis.timesOfPages = (globalThis.timesOfPages ?? 0) + 1;
if (globalThis.timesOfPages < 3) throw new Error('not yet');
exports.second = 2;
