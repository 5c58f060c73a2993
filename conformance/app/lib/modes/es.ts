/** Whether code of this module is in strict mode, where a write to a frozen object throws. */
export function isStrict(frozen: { written?: boolean }): boolean {
  try {
    frozen.written = true;
    return false;
  } catch {
    return true;
  }
}
