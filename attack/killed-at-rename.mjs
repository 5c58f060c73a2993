// Preloaded into a command: before the rename whose number is in APPKIT_ATTACK_RENAME, the process ends as by SIGKILL,
// or receives the signal in APPKIT_ATTACK_SIGNAL.
import { writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;
const { APPKIT_ATTACK_RENAME: at, APPKIT_ATTACK_SIGNAL: signal = 'SIGKILL' } = process.env;
let left = Number(at);
fs.rename = (...paths) => {
  left -= 1;
  if (left === 0) {
    writeSync(2, `${signal} before rename ${at}\n`);
    process.kill(process.pid, signal);
  }
  return rename(...paths);
};
syncBuiltinESMExports();
