// Preloaded into an export: the process ends as by SIGKILL before the rename whose number is in APPKIT_ATTACK_RENAME.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;
let left = Number(process.env.APPKIT_ATTACK_RENAME);
fs.rename = (...paths) => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return rename(...paths);
};
syncBuiltinESMExports();
