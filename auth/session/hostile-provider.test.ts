import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNothingLogged } from './fixtures/failure.ts';
import { answerCases } from './fixtures/hostile/answers.ts';
import type { HostileCase } from './fixtures/hostile/case.ts';
import { signIn } from './fixtures/hostile/client.ts';
import type { Flow, PromptUser } from './fixtures/hostile/client.ts';
import { endpointCases } from './fixtures/hostile/endpoints.ts';
import { idTokenCases } from './fixtures/hostile/id-tokens.ts';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider } from './fixtures/hostile/provider.ts';
import { serviceCases } from './fixtures/hostile/services.ts';
import { tokenCases } from './fixtures/hostile/tokens.ts';

let provider: HostileProvider;

beforeAll(async () => {
  provider = await startHostileProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

expectNothingLogged();

const redirectUri = 'https://app.example/callback';

const prompt: PromptUser = async (request) => {
  const response = await fetch(request.url ?? '', { redirect: 'manual' });
  return request.parseReturnUrlAsync(response.headers.get('location') ?? '');
};

it.each<Flow>([
  'code',
  'token',
  'id_token',
  'id_token token',
  'code id_token',
  'device',
  'introspect',
  'push',
  'refresh',
  'register',
  'revoke',
  'sign out',
  'user information',
])('takes what the provider answers for %s as long as that is honest', async (flow) => {
  provider.begin({});
  expect(await signIn(provider.issuer, { flow }, { prompt, redirectUri })).toMatchObject({ step: 'done', code: '' });
});

const cases: HostileCase[] = [...endpointCases, ...answerCases, ...idTokenCases, ...tokenCases, ...serviceCases];

const rows = cases.map((row): [string, string, HostileCase] => [row.lie, row.section, row]);

async function expectOutcome(
  _lie: string,
  _section: string,
  { code, lies, setting, step, tokens }: HostileCase,
): Promise<void> {
  provider.begin(lies);
  const outcome = await signIn(provider.issuer, setting, { prompt, redirectUri });
  expect(outcome).toMatchObject({ step, code, leaks: false, ...(tokens ? { tokens } : {}) });
}

it.each(rows.filter(([, , { code }]) => code !== ''))('refuses %s (%s)', expectOutcome);

it.each(rows.filter(([, , { code }]) => code === ''))('takes %s (%s)', expectOutcome);

it('has 200 cases or more, each once, which name their standard', () => {
  expect(cases.length).toBeGreaterThanOrEqual(200);
  expect(new Set(cases.map(({ lie }) => lie)).size).toBe(cases.length);
  for (const { section } of cases)
    expect(section).toMatch(/^(RFC \d+|FAPI 1.0|OpenID Connect|OAuth 2\.0|JARM).* section \d/);
});
