import { expect, it } from 'vitest';

import { findShownPlaces } from './shown-places.ts';

const URL_OF = "new URL('./a.png', import.meta.url)";

it.each([
  `export default () => <img src={${URL_OF}.href} />;`,
  `const url = ${URL_OF}.href;\nexport default () => <img src={url} />;`,
  `export const { href: a } = {}, url = String(${URL_OF});\nexport default () => <p>{url}</p>;`,
  'export default () => <>{import.meta.url}</>;',
  `export default () => <p>{true && \`at \${${URL_OF}.pathname}\`}</p>;`,
])('finds the path that is shown: %s', (source) => {
  expect(findShownPlaces(source, 'a.tsx')).toHaveLength(1);
});

it.each([
  `export default () => <p onClick={() => alert(${URL_OF})}>text</p>;`,
  `const url = ${URL_OF};\nexport default () => <p ref={() => void new Worker(url)}>text</p>;`,
  `export default () => <Picture source={${URL_OF}} />;`,
  `const start = () => new Worker(${URL_OF});\nexport default () => <p>{typeof start}</p>;`,
  "export default () => <p>{import.meta.env.MODE}{'import.meta.url'}</p>;",
  `const worker = start(${URL_OF});\nexport default () => <p title={format(${URL_OF})}>{worker.name}</p>;`,
  'const url = 1;\nexport default () => <p title={other.name}>{url}</p>;',
])('ignores what only the browser does: %s', (source) => {
  expect(findShownPlaces(source, 'a.tsx')).toEqual([]);
});
