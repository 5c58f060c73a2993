const LONGEST = 60;
const FORM = /^[a-z][\w./-]*(?:, [a-z][\w./-]*)*: \S/;

/**
 * Finds what is wrong with the subject of a commit.
 *
 * @returns a sentence for each fault; none for a good subject.
 */
export function faultsOfSubject(subject: string): string[] {
  const faults: string[] = [];
  if (subject.length > LONGEST) faults.push(`has ${subject.length} characters. Use at most ${LONGEST}.`);
  if (!FORM.test(subject)) faults.push('does not begin with an area. Write "area: what changes for whom".');
  return faults;
}
