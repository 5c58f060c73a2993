import { routes } from './fixture/routes.ts';

/** The text of fixture.json: the fixture's paths, for implementations in other languages. */
export function fixtureJson(): string {
  const table = routes.map(({ path, answers }) => ({ path, answers }));
  return `${JSON.stringify({ routes: table }, undefined, 2)}\n`;
}

/** `page` with the table of paths between its `<!-- routes -->` and `<!-- /routes -->` markers. */
export function withRoutes(page: string): string {
  const rows = routes.flatMap(({ path, answers }) =>
    Object.entries(answers).map(([method, answer]) => `| ${method} | \`${path}\` | ${answer.replaceAll('|', '\\|')} |`),
  );
  const table = ['| Method | Path | What it answers |', '| --- | --- | --- |', ...rows].join('\n');
  return page.replace(/(<!-- routes -->\n)[^]*?(<!-- \/routes -->)/, (_, start: string, end: string) =>
    [start, table, '', end].join('\n'),
  );
}
