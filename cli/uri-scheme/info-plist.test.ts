import { describe, expect, it } from 'vitest';
import { plist } from './fixtures/project.ts';
import { infoPlist } from './info-plist.ts';
import type { EditedText, SchemeDetails } from './scheme-file.ts';

const source = (text: string) => ({ path: '/Info.plist', file: 'Info.plist', text });
const add = (text: string, details: SchemeDetails = {}): EditedText => infoPlist.add(source(text), 'a.b', details);
const remove = (text: string, scheme = 'a.b'): EditedText => infoPlist.remove(source(text), [scheme]);
const list = (text: string): string[] => infoPlist.list(source(text)).map(({ scheme }) => scheme);

const types = (...dictionaries: string[]): string =>
  plist(
    `\n\t<key>CFBundleURLTypes</key>\n\t<array>${dictionaries.map((text) => `\n\t\t<dict>${text}</dict>`).join('')}\n\t</array>`,
  );
const schemes = (...names: string[]): string =>
  `<key>CFBundleURLSchemes</key><array>${names.map((name) => `<string>${name}</string>`).join('')}</array>`;

describe('a URL type', () => {
  it('is added with a new list, and with name and role', () => {
    expect(add(plist(), { name: 'A <&> B', role: 'Viewer' }).text).toBe(
      plist(`
	<key>CFBundleURLTypes</key>
	<array>
		<dict>
			<key>CFBundleTypeRole</key>
			<string>Viewer</string>
			<key>CFBundleURLName</key>
			<string>A &lt;&amp;&gt; B</string>
			<key>CFBundleURLSchemes</key>
			<array>
				<string>a.b</string>
			</array>
		</dict>
	</array>`),
    );
  });

  it('is added after existing ones, even if one has no schemes', () => {
    const text = types(schemes('one', 'two'), '<key>CFBundleURLName</key><string>x</string>');
    expect(list(add(text).text)).toEqual(['one', 'two', 'a.b']);
  });

  it.each([
    '<array/>',
    '<array />',
    '<array></array>',
    '<array> </array>',
    '<array>\n\t</array>',
    '<array><!-- none --></array>',
  ])('is added to an empty list, %j, which removing it restores', (array) => {
    const text = plist(`\n\t<key>CFBundleURLTypes</key>\n\t${array}`);
    const added = add(text).text;
    expect(list(added)).toEqual(['a.b']);
    expect(remove(added).text).toBe(text);
  });

  it('is indented by tabs in a list that contains only a comment', () => {
    const text = plist('\n\t<key>CFBundleURLTypes</key>\n\t<array>\n\t\t<!-- none yet -->\n\t</array>');
    const added = add(text).text;
    expect(added).toContain('<!-- none yet -->\n\t\t<dict>\n\t\t\t<key>CFBundleURLSchemes</key>');
    expect(remove(added).text).toBe(text);
  });

  it('is not added when the scheme exists in any letter case, and says what is not changed', () => {
    const text = types(schemes('A.B'));
    expect(add(text)).toEqual({ text, warnings: [] });
    expect(add(text, { role: 'None' })).toEqual({
      text,
      warnings: [expect.objectContaining({ code: 'already-there' })],
    });
  });
});

describe('a scheme that is removed', () => {
  it('is removed with the list that was added with it', () => {
    expect(remove(add(plist(), { name: 'A' }).text).text).toBe(plist());
  });

  it('leaves the other schemes of its URL type', () => {
    expect(remove(types(schemes('one', 'a.b'))).text).toBe(types(schemes('one')));
  });

  it('is removed with its URL type, but not with a list that has others', () => {
    expect(remove(types(schemes('one'), schemes('a.b'))).text).toBe(types(schemes('one')));
  });

  it('leaves a URL type that contains more than an added one', () => {
    for (const more of ['<key>CFBundleURLIconFile</key><string>x</string>', '<!-- why -->']) {
      const { text } = remove(types(more + schemes('a.b')));
      expect(text).toBe(types(`${more}<key>CFBundleURLSchemes</key><array/>`));
    }
  });

  it('leaves a list that contains a comment', () => {
    const text = types(schemes('a.b')).replace('\n\t</array>\n</dict>', '\n\t\t<!-- why -->\n\t</array>\n</dict>');
    expect(text).toContain('why');
    expect(remove(text).text).toBe(plist('\n\t<key>CFBundleURLTypes</key>\n\t<array>\n\t\t<!-- why -->\n\t</array>'));
  });
});

describe('a file that is not such a property list', () => {
  it.each([
    ['<plist><dict>', /not well-formed/],
    ['<plist><array/></plist>', /not a property list with a dictionary/],
    [plist('\n\t<key>CFBundleURLTypes</key>\n\t<string>x</string>'), /^Info\.plist:8:2: CFBundleURLTypes is <string>/],
    [
      types(schemes('x')).replace('<dict><key>CFB', '<string>x</string><dict><key>CFB'),
      /An item of CFBundleURLTypes is <string>/,
    ],
  ])('%j', (text, message) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({ code: 'ERR_FILE_MALFORMED', message: expect.stringMatching(message) }),
    );
  });
});
