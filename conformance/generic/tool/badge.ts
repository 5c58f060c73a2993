/** What a badge shows. */
export interface BadgeCounts {
  passed: number;
  /** Failed behaviours that a standard requires. */
  failedStandards: number;
  failedQuality: number;
}

const HEIGHT = 20;
/** Wide enough for each character of the font below, in pixels. */
const CHARACTER = 7;

/**
 * A static SVG: `HTTP conformance | 150/154`; green, yellow when only quality fails, red when a standard is violated.
 */
export function badge({ passed, failedStandards, failedQuality }: BadgeCounts): string {
  const [label, value] = ['HTTP conformance', `${passed}/${passed + failedStandards + failedQuality}`];
  const color = failedStandards > 0 ? '#b3261e' : failedQuality > 0 ? '#8a6100' : '#1a7f37';
  const [left, right] = [label, value].map((text) => text.length * CHARACTER + 10) as [number, number];
  const width = left + right;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}: ${value}">`,
    `  <title>${label}: ${value}</title>`,
    `  <rect width="${left}" height="${HEIGHT}" fill="#444"/>`,
    `  <rect x="${left}" width="${right}" height="${HEIGHT}" fill="${color}"/>`,
    '  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    `    <text x="${left / 2}" y="14">${label}</text>`,
    `    <text x="${left + right / 2}" y="14">${value}</text>`,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}
