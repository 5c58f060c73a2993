import { describe, expect, it } from 'vitest';
import {
  compareOwners,
  compareSource,
  expectedSource,
  findDisagreements,
  isPlaceholder,
  repositoryUrl,
} from './repository.ts';

const URL = 'https://code.example/owner/appkit';

describe('the location of the source', () => {
  it('is the same in every manifest that is published, and in CODEOWNERS', () => {
    expect(findDisagreements()).toEqual([]);
    expect(repositoryUrl()).toMatch(/^https:/);
  });

  it('would find a manifest that names another location', () => {
    const source = expectedSource('https://code.example/other/appkit', 'router');
    expect(compareSource('router', source, URL)).toEqual([
      'router/package.json: set "repository" to ' +
        '{"type":"git","url":"git+https://code.example/owner/appkit.git","directory":"router"}.',
      'router/package.json: set "homepage" to "https://code.example/owner/appkit#readme".',
      'router/package.json: set "bugs" to {"url":"https://code.example/owner/appkit/issues"}.',
    ]);
  });

  it('would find a manifest without it', () => {
    expect(compareSource('router', {}, URL)).toHaveLength(3);
  });

  it('would find a person among the owners', () => {
    expect(compareOwners('# Owners\n* @owner/maintainers\n/docs @somebody\n', URL)).toEqual([
      '.github/CODEOWNERS: "/docs @somebody" names another owner than @owner/maintainers, ' +
        "a team of the repository's owner.",
    ]);
  });

  it('knows a placeholder', () => {
    expect([isPlaceholder(URL), isPlaceholder('https://github.com/owner/appkit')]).toEqual([true, false]);
  });
});
