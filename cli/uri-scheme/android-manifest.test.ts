import { describe, expect, it } from 'vitest';
import { androidManifest } from './android-manifest.ts';
import { manifest } from './fixtures/project.ts';
import type { EditedText } from './scheme-file.ts';

const source = (text: string) => ({ path: '/AndroidManifest.xml', file: 'AndroidManifest.xml', text });
const add = (text: string, scheme = 'a.b'): EditedText => androidManifest.add(source(text), scheme, {});
const remove = (text: string, scheme = 'a.b'): EditedText => androidManifest.remove(source(text), [scheme]);
const list = (text: string): string[] => androidManifest.list(source(text)).map(({ scheme }) => scheme);
const codes = ({ warnings }: EditedText): string[] => warnings.map(({ code }) => code);

const VIEW = '<action android:name="android.intent.action.VIEW"/>';
const LINKS = `<category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>`;
const WEB = `
      <intent-filter android:autoVerify="true">
        ${VIEW}
        <data android:scheme="https" android:host="example.com"/>
      </intent-filter>`;

describe('the filter of a scheme', () => {
  it('is separate, in the launched activity, next to those for links of a website', () => {
    const { text, warnings } = add(manifest(WEB));
    expect(text).toBe(
      manifest(`${WEB}
      <intent-filter>
        <action android:name="android.intent.action.VIEW"/>
        <category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>
        <data android:scheme="a.b"/>
      </intent-filter>`),
    );
    expect(warnings).toEqual([]);
  });

  it('is in the launched activity, not in another one', () => {
    const other = '<activity android:name=".Other">\n</activity>\n    <activity';
    const text = manifest().replace('<activity', other);
    expect(add(text).text.indexOf('a.b')).toBeGreaterThan(text.indexOf('.MainActivity'));
  });

  it('is in the activity that an alias launches, with a warning when two are launched', () => {
    const alias = `</activity>
    <activity-alias android:name=".Icon" android:targetActivity=".Real">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>
    </activity-alias>
    <activity android:name=".Real" android:launchMode="singleTask"/>`;
    const both = add(manifest().replace('</activity>', alias));
    expect(codes(both)).toEqual(['several-launchers']);
    const one = add(manifest().replace('MAIN', 'OTHER').replace('</activity>', alias));
    expect(codes(one)).toEqual([]);
    expect(one.text).toContain('android:name=".Real" android:launchMode="singleTask"><intent-filter>');
  });

  it.each([
    ['.Real', 'com.example.app.Real'],
    ['com.example.app.Real', '.Real'],
    ['com.example.app.Real', 'Real'],
  ])('is in the activity that an alias launches as %s, and that is written as %s', (target, name) => {
    const alias = `</activity>
    <activity-alias android:name=".Icon" android:targetActivity="${target}">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>
    </activity-alias>
    <activity android:name="com.example.app.Unreal"/>
    <activity android:name="${name}" android:launchMode="singleTask"/>`;
    const added = add(manifest().replace('MAIN', 'OTHER').replace('</activity>', alias));
    expect(codes(added)).toEqual([]);
    expect(added.text).toContain(`android:name="${name}" android:launchMode="singleTask"><intent-filter>`);
  });

  it('keeps the line breaks of Windows, tabs, a byte order mark and the prefix of the namespace', () => {
    const text = `\uFEFF${manifest().replaceAll('android:', 'x:').replaceAll('  ', '\t').replaceAll('\n', '\r\n')}`;
    const added = add(text.replace('xmlns:android', 'xmlns:x')).text;
    expect(added).toContain('\r\n\t\t\t<intent-filter>\r\n\t\t\t\t<action x:name="android.intent.action.VIEW"/>\r\n');
    expect(added.startsWith('\uFEFF<?xml')).toBe(true);
  });

  it('comes with a warning when a link would open a second activity', () => {
    const { text, warnings } = add(manifest('', 'android:launchMode="standard"'));
    expect(text).toContain('a.b');
    expect(warnings).toEqual([
      {
        code: 'launch-mode',
        message: expect.stringMatching(/^AndroidManifest\.xml:4: .*singleTask.*openAuthSessionAsync/),
      },
    ]);
  });

  it('is refused when no activity is launched', () => {
    expect(() => add(manifest().replace('LAUNCHER', 'HOME'))).toThrow(
      expect.objectContaining({ code: 'ERR_ACTIVITY_NOT_FOUND', message: expect.stringContaining('LAUNCHER') }),
    );
  });
});

describe('a scheme that exists', () => {
  const filter = (...data: string[]): string =>
    manifest(`\n      <intent-filter>\n        ${[VIEW, LINKS, ...data].join('\n        ')}\n      </intent-filter>`);

  it('is not added again, with a warning when its filter only accepts some hosts', () => {
    const text = filter('<data android:scheme="a.b" android:host="x"/>');
    expect(add(text).text).toBe(text);
    expect(codes(add(text))).toEqual(['partial-filter']);
  });

  it.each(['BROWSABLE', 'DEFAULT'])(
    'is added when its filter lacks the category %s, because links in a browser do not reach that filter',
    (category) => {
      const text = filter('<data android:scheme="a.b"/>').replace(`.category.${category}`, '.category.CAR_MODE');
      const added = add(text);
      expect([list(added.text), codes(added)]).toEqual([['a.b', 'a.b'], []]);
      expect(added.text).toContain(LINKS);
      expect(list(remove(added.text).text)).toEqual([]);
    },
  );

  it('is a different scheme when its case differs: Android matches case-sensitively', () => {
    const text = filter('<data android:scheme="A.B"/>');
    expect(list(add(text).text)).toEqual(['A.B', 'a.b']);
  });

  it('is the only thing removed from a filter with other schemes, hosts and paths', () => {
    const one = '<data android:scheme="one"/>';
    const host = '<data android:host="x" android:path="/y"/>';
    const { text, warnings } = remove(filter(one, '<data android:scheme="a.b"/>', host));
    expect(text).toBe(filter(one, host));
    expect(warnings).toEqual([]);
  });

  it('leaves a filter that contains more than an added one, and says when it has no scheme any more', () => {
    const result = remove(filter('<!-- why -->', '<data android:scheme="a.b"/>'));
    expect(result.text).toBe(filter('<!-- why -->'));
    expect(codes(result)).toEqual(['filter-without-scheme']);
  });

  it('leaves a filter that contains a comment or a label in addition', () => {
    const added = add(manifest()).text;
    for (const [from, to] of [
      ['<data', '<!-- why --><data'],
      [
        '<intent-filter>\n        <action android:name="android.intent.action.VIEW"',
        '<intent-filter android:label="x">\n        <action android:name="android.intent.action.VIEW"',
      ],
    ] as const) {
      const result = remove(added.replace(from, to));
      expect([list(result.text), codes(result)]).toEqual([[], ['filter-without-scheme']]);
      expect(result.text).toContain('android.intent.action.VIEW');
    }
  });

  it('is removed from every filter', () => {
    const twice = add(filter('<data android:scheme="one"/>', '<data android:scheme="a.b" android:host="x"/>')).text;
    expect(list(remove(twice).text)).toEqual(['one']);
  });

  it('is not removed from a filter for links of a website: its place is named instead', () => {
    const text = filter('<data android:scheme="https"/>', '<data android:scheme="a.b"/>');
    expect(list(text)).toEqual(['a.b']);
    expect(add(text).text).toBe(text);
    expect(() => remove(text)).toThrow(
      expect.objectContaining({ code: 'ERR_APP_LINK', file: 'AndroidManifest.xml', line: 14, column: 9 }),
    );
  });
});

it('a scheme in a filter that Android verifies is not removed either', () => {
  const text = add(manifest()).text.replace(
    /<intent-filter>(?![\s\S]*<intent-filter>)/,
    '<intent-filter android:autoVerify="true">',
  );
  expect(() => remove(text)).toThrow(expect.objectContaining({ code: 'ERR_APP_LINK' }));
});

describe('a file that is not a manifest', () => {
  it.each([
    ['<manifest>\n  <a></b>\n</manifest>', 2, /not well-formed XML: .*/],
    ['<manifest>\n <a b="1" b="2"/></manifest>', 2, /duplicate attribute/],
    ['', 1, /not well-formed/],
    ['<manifest>', 1, /unclosed tag/],
    ['\n<resources/>', 2, /root element is resources/],
  ])('%j: line %d', (text, line, message) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({ code: 'ERR_FILE_MALFORMED', line, message: expect.stringMatching(message) }),
    );
  });
});
