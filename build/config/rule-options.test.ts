import { describe, expect, it } from 'vitest';

import { parsePluginOptions } from './plugin-options.ts';

function problemsOf(options: Record<string, unknown>): string[] {
  return parsePluginOptions(options, { file: 'app.json' }).problems.map(({ message, fix }) => `${message} ${fix}`);
}

const redirect = (source: unknown, destination: unknown, more: object = {}): string[] =>
  problemsOf({ redirects: [{ source, destination, ...more }] });
const rewrite = (source: unknown, destination: unknown): string[] =>
  problemsOf({ rewrites: [{ source, destination }] });

describe('redirects and rewrites', () => {
  it('are lists of objects with known keys', () => {
    expect(problemsOf({ redirects: {} })).toEqual([
      'The option redirects of appkit-router is {}. Make it a list, such as [{ "source": "/old/[id]", "destination": "/new/[id]" }].',
    ]);
    expect(problemsOf({ rewrites: ['/a', null] })).toEqual([
      'rewrites[0] is "/a". Make it an object with source and destination.',
      'rewrites[1] is null. Make it an object with source and destination.',
    ]);
    expect(redirect('/a', '/b', { permanant: true, to: '/c' })).toEqual([
      'redirects[0] has no key permanant. Did you mean permanent?',
      'redirects[0] has no key to. Known keys: source, destination, permanent, methods.',
    ]);
    expect(problemsOf({ rewrites: [{ source: '/a', destination: '/b', permanent: true }] })).toEqual([
      'rewrites[0] has no key permanent. Known keys: source, destination, methods.',
    ]);
  });

  it('have a source and a destination', () => {
    expect(problemsOf({ redirects: [{}] })).toEqual([
      'redirects[0] has no source. Give it one, such as "/old/[id]".',
      'redirects[0] has no destination. Give it one, such as "/new/[id]".',
    ]);
    expect(rewrite(5, ['/b'])).toEqual([
      'The source of rewrites[0] is 5. Give it one, such as "/old/[id]".',
      'The destination of rewrites[0] is ["/b"]. Give it one, such as "/new/[id]".',
    ]);
  });

  it('may be permanent, and for some methods', () => {
    expect(redirect('/a', '/b', { permanent: 'yes' })).toEqual([
      'The key permanent of redirects[0] is "yes". Make it true or false.',
    ]);
    const wanted = 'Make it a list of some of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, or leave it out for all.';
    for (const methods of [[], ['get'], 'GET', ['GET', 5], ['PROPFIND']]) {
      expect(redirect('/a', '/b', { methods })).toEqual([
        `The key methods of redirects[0] is ${JSON.stringify(methods)}. ${wanted}`,
      ]);
    }
  });
});

describe('a source', () => {
  const refused: [source: string, problem: string][] = [
    ['', 'does not start with "/". Write the path from the root of the app.'],
    ['old', 'does not start with "/". Write the path from the root of the app.'],
    ['https://example.com/old', 'does not start with "/". Write the path from the root of the app.'],
    ['/old?a=b', 'has a query or a fragment, which are not matched. Write only the path.'],
    ['/old#a', 'has a query or a fragment, which are not matched. Write only the path.'],
    ['/old/*', 'has a "*", which matches literally. Write [...path] for one segment or more.'],
    ['/old/(.*)', 'has a "*", which matches literally. Write [...path] for one segment or more.'],
    ['/old/:id', 'has a segment that starts with ":", which matches literally. Write [name] for a parameter.'],
    ['/caf%C3%A9', 'is percent-encoded, and paths are matched decoded. Write the character itself.'],
    ['//old', 'has a segment that no path contains. Leave out empty segments, "." and "..".'],
    ['/old//', 'has a segment that no path contains. Leave out empty segments, "." and "..".'],
    ['/a/../old', 'has a segment that no path contains. Leave out empty segments, "." and "..".'],
    ['/old/.', 'has a segment that no path contains. Leave out empty segments, "." and "..".'],
    ['/(shop)/old', 'has the group (shop), which is not part of a URL. Leave it out.'],
    [
      '/[[id]]',
      'has an optional segment, which is not supported. Write two entries: one with the segment, one without.',
    ],
    [
      '/[...path]/old',
      'cannot be: [...path] matches everything to the end of the path, so nothing can follow it. Move [...path] to the end of the path, or write [path] for a single segment.',
    ],
    [
      '/[id]/[id]',
      'cannot be: Two segments of the path are called id, and a handler would see only one of them. Give each parameter its own name.',
    ],
    [
      '/old-[id]',
      'cannot be: The brackets in old-[id] are not a parameter. A parameter is a whole segment: [id] for one, [...path] for the rest of the path.',
    ],
  ];
  for (const [source, problem] of refused) {
    it(`cannot be ${JSON.stringify(source)}`, () => {
      expect(redirect(source, '/new')).toEqual([`The source ${JSON.stringify(source)} of redirects[0] ${problem}`]);
    });
  }

  for (const source of [
    '/',
    '/a.b',
    '/index',
    '/a b',
    '/cafe\u0301',
    '/.well-known/x',
    '/...',
    '/a/[b]/[...c]',
    '/a/',
  ]) {
    it(`can be ${JSON.stringify(source)}`, () => expect(redirect(source, 'https://example.com')).toEqual([]));
  }

  it('is kept as a pattern of the manifest', () => {
    const { options } = parsePluginOptions(
      { redirects: ['/cafe\u0301/', '/'].map((source) => ({ source, destination: 'https://example.com' })) },
      { file: 'app.json' },
    );
    expect(options.redirects?.map(({ source }) => source)).toEqual(['/caf\u00e9', '/']);
  });
});

describe('a destination', () => {
  const nowhere =
    'leads nowhere. Make it a path from the root of the app, or a URL with http or https, such as "/new/[id]".';
  const brackets =
    'A parameter is a whole segment of the path, or in a value of the query. Write %5B and %5D for the characters.';
  const refused: [destination: string, problem: string][] = [
    ['', nowhere],
    ['new', nowhere],
    ['//evil.example/x', nowhere],
    ['/\\evil.example', nowhere],
    ['javascript:alert(1)', nowhere],
    ['ftp://example.com/x', nowhere],
    ['https://', nowhere],
    ['https://exa mple.com/', nowhere],
    ['https://[id].example.com/', 'has a parameter in its host, which a caller would choose. Write the host out.'],
    ['/100%', 'has a character that no URL can have. Write %25 for a "%" that encodes nothing.'],
    ['/%ff', 'has a character that no URL can have. Write %25 for a "%" that encodes nothing.'],
    ['/a\\b', 'has a backslash, white space or half a character. Write it percent-encoded, such as %20.'],
    ['/a\r\nx: y', 'has a backslash, white space or half a character. Write it percent-encoded, such as %20.'],
    ['/\ud800', 'has a backslash, white space or half a character. Write it percent-encoded, such as %20.'],
    ['/a//b', 'has an empty segment, or a segment of dots. Write the path that it leads to.'],
    ['/a/../b', 'has an empty segment, or a segment of dots. Write the path that it leads to.'],
    ['/a/%2e%2E', 'has an empty segment, or a segment of dots. Write the path that it leads to.'],
    ['/a/[id].html', `has a bracket in "[id].html". ${brackets}`],
    ['/a#[id]', `has a bracket in "#[id]". ${brackets}`],
    [
      '/[name]',
      'has [name], and its source has only [id] and [...path]. Use parameters of the source, written as there.',
    ],
    [
      '/[path]',
      'has [path], and its source has only [id] and [...path]. Use parameters of the source, written as there.',
    ],
    [
      '/?a=[...id]',
      'has [...id], and its source has only [id] and [...path]. Use parameters of the source, written as there.',
    ],
  ];
  for (const [destination, problem] of refused) {
    it(`cannot be ${JSON.stringify(destination)}`, () => {
      expect(redirect('/old/[id]/[...path]', destination)).toEqual([
        `The destination ${JSON.stringify(destination)} of redirects[0] ${problem}`,
      ]);
    });
  }

  const accepted = [
    '/',
    '/a/',
    '/[id]',
    '/[...path]/[id]',
    '/a?b=[id]&[c]=x-[...path]#d',
    'https://example.com',
    'http://[::1]:80/[id]?a',
  ];
  for (const destination of [...accepted, '/caf\u00e9/%20', 'HTTPS://EXAMPLE.COM/[...path]']) {
    it(`can be ${destination}`, () => expect(redirect('/old/[id]/[...path]', destination)).toEqual([]));
  }

  it('says which parameters the source has', () => {
    expect(redirect('/old', '/[id]')).toEqual([
      'The destination "/[id]" of redirects[0] has [id], and its source has no parameters. Use parameters of the source, written as there.',
    ]);
  });

  it('of a rewrite is a path of the app', () => {
    expect(rewrite('/a', '/b?c=d')).toEqual([]);
    expect(rewrite('/a', 'https://example.com/')).toEqual([
      'The destination "https://example.com/" of rewrites[0] is outside the app. Use a redirect, or fetch it in a route.',
    ]);
    expect(rewrite('/a', 'b')).toEqual([
      'The destination "b" of rewrites[0] leads nowhere. Make it a path of the app, such as "/new/[id]".',
    ]);
    expect(rewrite('/a', '/b#c')).toEqual([
      'The destination "/b#c" of rewrites[0] has a fragment, which only a client sees. Leave it out.',
    ]);
  });
});

describe('a redirect that leads to itself', () => {
  const loops: [source: string, destination: string][] = [
    ['/', '/'],
    ['/a', '/a'],
    ['/a', '/a/'],
    ['/a', '/a?b=c'],
    ['/caf\u00e9', '/caf%C3%A9'],
    ['/[...path]', '/maintenance'],
    ['/[lang]', '/en'],
    ['/[a]/[b]', '/[b]/[a]'],
    ['/x/[...path]', '/x/y/[...path]'],
    ['/[...path]', '/[...path]'],
  ];
  for (const [source, destination] of loops) {
    it(`${source} to ${destination}`, () => {
      expect(redirect(source, destination)).toEqual([
        `redirects[0] leads to itself: its source ${source} fits its destination ${destination}. ` +
          'Correct one of them, or redirect in app/+middleware.ts, which can exclude paths.',
      ]);
      expect(problemsOf({ rewrites: [{ source, destination }] })).toEqual([]);
    });
  }

  const harmless: [source: string, destination: string][] = [
    ['/a', '/b'],
    ['/a', '/A'],
    ['/a/[id]', '/a'],
    ['/[...path]', '/'],
    ['/[...path]', 'https://example.com/[...path]'],
    ['/a/[id]', '/[id]/x'],
    ['/[a]/b', '/[a]/c'],
    ['/[a]/[...b]', '/[...b]'],
    ['/[a]/x/[...b]', '/[...b]/x/y'],
  ];
  for (const [source, destination] of harmless) {
    it(`is not ${source} to ${destination}`, () => expect(redirect(source, destination)).toEqual([]));
  }
});

describe('two for the same requests', () => {
  const both = (a: object, b: object): string[] =>
    problemsOf({
      redirects: [
        { source: '/a/[b]', destination: '/x', ...a },
        { source: '/other', destination: '/x' },
        { source: '/a/[c]', destination: '/y', ...b },
      ],
    });

  it('are refused, whatever their parameters are called', () => {
    expect(both({}, {})).toEqual([
      'redirects[0] and redirects[2] are for the same requests: /a/[c]. Keep one of them, or give them different methods. Parameter names make no difference, and GET includes HEAD.',
    ]);
    expect(both({}, { methods: ['PUT'] })).toHaveLength(1);
    expect(both({ methods: ['GET', 'PUT'] }, { methods: ['PUT'] })).toHaveLength(1);
    expect(both({ methods: ['GET'] }, { methods: ['HEAD'] })).toHaveLength(1);
  });

  it('are different when they share no method, or not all paths', () => {
    expect(both({ methods: ['GET'] }, { methods: ['POST'] })).toEqual([]);
    expect(both({}, { source: '/a/[...c]' })).toEqual([]);
    expect(
      problemsOf({ redirects: [{ source: '/a', destination: '/x' }], rewrites: [{ source: '/a', destination: '/x' }] }),
    ).toEqual([]);
  });
});
