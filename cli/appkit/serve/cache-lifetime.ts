/**
 * Tells whether the name of a file changes with its content, so that nobody ever needs to ask for it again.
 *
 * It does when it ends in a hash of eight or more hexadecimal digits with a figure and a letter among them
 * (`main-4f9a03bc.js`, `main.4f9a03bc.js`): `report-20240101.pdf` carries a date, and `a-facade.png` a word.
 */
export function isContentHashed(name: string): boolean {
  const hash = /[-.]([0-9a-f]{8,})(?:\.[a-z0-9]+)+$/i.exec(name)?.[1];
  return hash !== undefined && /\d/.test(hash) && /[a-f]/i.test(hash);
}
