const { failTwice } = require('./attempts.ts');

exports.first = 1;
failTwice('half.cjs');
exports.second = 2;
