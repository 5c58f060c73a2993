import { readFileSync } from 'node:fs';

// While the file is missing, this module cannot be loaded.
const text = readFileSync('ready.txt', 'utf8');

export function GET(): Response {
  return new Response(text);
}
