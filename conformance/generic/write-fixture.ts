/** Writes the contents of fixture/routes.ts into fixture.json, and into the table of ../fixture.md. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fixtureJson, withRoutes } from './fixture-text.ts';

const page = path.join(import.meta.dirname, '../fixture.md');
await writeFile(path.join(import.meta.dirname, 'fixture.json'), fixtureJson());
await writeFile(page, withRoutes(await readFile(page, 'utf8')));
