import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { createDevice, createScriptedBrowser, settled } from './fixtures/device.ts';
import type { ScriptedBrowser } from './fixtures/device.ts';
import type { NativeBrowserResult } from './native-browser.ts';
import { createNativeSessions } from './native-session.ts';

// Events of the device, the browsers, the app and other apps in any order. What may end a session, and when it must have
// ended, is written down here a second time, in the plainest way.
const RUNS = propertyRuns({ push: 2000, weekly: 200_000 });

/** A session, and what the plain rules say of it. */
interface Expected {
  id: number;
  redirectUrl: string;
  state: string | null;
  graceMs: number;
  timeoutAt: number;
  /** Whether it was let in, and is not over. */
  isUnderWay: boolean;
  /** How it may have ended, each as it is told. */
  allowed: Set<string>;
  browser: ScriptedBrowser;
  controller: AbortController;
  before: string | null;
  waitsForLink: boolean;
  hasLeft: boolean;
  graceEndsAt: number | null;
  /** How it was told to have ended. */
  told: string[];
}

type Step = { flush: boolean } & (
  | { do: 'begin'; isStale: boolean; hasState: boolean; graceMs: number; timeoutMs: number }
  | { do: 'link'; of: number; shape: number }
  | { do: 'initial'; of: number; shape: number }
  | { do: 'state'; state: string }
  | { do: 'wait'; milliseconds: number }
  | { do: 'browser'; of: number; outcome: 'answer' | 'strange' | 'cancel' | 'dismiss' | 'closed' | 'opened' | 'fails' }
  | { do: 'abort'; of: number }
  | { do: 'dismiss' }
);

const ANSWER = 100;

/** The answer to a session, and then what any app may send that is not. */
function toLink({ redirectUrl, state }: Expected, shape: number): string {
  const query = state === null ? '?code=1' : `?code=1&state=${state}`;
  const others = [
    `${redirectUrl}2${query}`,
    `${redirectUrl}/${query}`,
    `${redirectUrl}/../cb${query}`,
    `${redirectUrl.replace(':/', '://')}${query}`,
    `${redirectUrl.replace('com.ex', 'com.ex.evil')}${query}`,
    `evil:/${query}#${redirectUrl}`,
    `${redirectUrl}?code=1&state=forged`,
    ...(state === null ? [] : [redirectUrl, `${redirectUrl}${query}2`]),
  ];
  return others[shape] ?? redirectUrl + query;
}

const of = fc.nat(3);
const shape = fc.nat(12);
const flush = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      flush,
      isStale: fc.nat(3).map((number) => number === 0),
      hasState: fc.boolean(),
      graceMs: fc.constantFrom(100, 1500),
      timeoutMs: fc.constantFrom(0, 0, 500, 3000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('link' as const), flush, of, shape }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('initial' as const), flush, of, shape }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      flush,
      state: fc.constantFrom('active', 'active', 'inactive', 'background'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      flush,
      milliseconds: fc.constantFrom(50, 100, 700, 1500),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('browser' as const),
      flush,
      of,
      outcome: fc.constantFrom(
        'answer',
        'strange',
        'cancel',
        'dismiss',
        'closed',
        'opened',
        'opened',
        'opened',
        'fails',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), flush, of }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dismiss' as const), flush }) },
);

async function play(steps: readonly Step[]): Promise<Record<string, number>> {
  const device = createDevice();
  const sessions = createNativeSessions(device);
  const all: Expected[] = [];
  // Events of the browsers, which are heard a little later than those of the device.
  let unheard: [Expected, NativeBrowserResult | Error][] = [];
  let now = 0;
  let isActive = true;

  const current = (): Expected | undefined => all.find(({ isUnderWay }) => isUnderWay);
  const end = (session: Expected | undefined, how: string): void => {
    if (!session?.isUnderWay) return;
    session.isUnderWay = false;
    session.allowed.add(how);
  };
  const isAnswer = (session: Expected, link: string): boolean => link === toLink(session, ANSWER);
  const startGrace = (session: Expected | undefined): void => {
    if (!session?.isUnderWay || !session.waitsForLink || !session.hasLeft || !isActive) return;
    if (session.graceEndsAt !== null) return;
    session.graceEndsAt = now + session.graceMs;
    const { initial } = device;
    if (initial !== null && initial !== session.before && isAnswer(session, initial)) {
      // It is read a little later. What comes before that may end the session as well.
      session.allowed.add(initial);
      session.graceEndsAt = now;
    }
  };
  const hearBrowsers = async (): Promise<void> => {
    for (const [session, outcome] of unheard) {
      if (!session.isUnderWay) continue;
      if (outcome instanceof Error) end(session, 'ERR_WEB_BROWSER_OPEN');
      else if (outcome.type === 'success') {
        end(session, isAnswer(session, outcome.url) ? outcome.url : 'ERR_WEB_BROWSER_REDIRECT');
      } else if (outcome.type === 'cancel' || outcome.type === 'dismiss') end(session, outcome.type);
      else {
        session.waitsForLink = true;
        session.hasLeft ||= outcome.type === 'closed';
        startGrace(session);
      }
    }
    unheard = [];
    await settled();
    const session = current();
    if (session && session.allowed.size > 0) session.isUnderWay = false;
  };

  const begin = ({ isStale, hasState, graceMs, timeoutMs }: Extract<Step, { do: 'begin' }>): void => {
    const id = all.length;
    const browser = createScriptedBrowser();
    const controller = new AbortController();
    const session: Expected = {
      id,
      redirectUrl: hasState ? 'com.ex:/cb' : `com.ex:/cb${id}`,
      state: hasState ? `s${id}` : null,
      graceMs,
      timeoutAt: timeoutMs === 0 ? Number.POSITIVE_INFINITY : now + timeoutMs,
      isUnderWay: current() === undefined,
      allowed: new Set(current() === undefined ? [] : ['locked']),
      browser,
      controller,
      before: device.initial,
      waitsForLink: false,
      hasLeft: false,
      graceEndsAt: null,
      told: [],
    };
    all.push(session);
    // The link of an earlier try, with which the activity was opened. A state that is used twice makes it look right.
    if (isStale) session.before = device.initial = toLink(session, ANSWER);
    const { redirectUrl, state } = session;
    const options = { graceMs, timeoutMs, signal: controller.signal };
    sessions.open(browser, { url: 'https://provider.example', redirectUrl, state, options }).then(
      (result) => session.told.push('url' in result ? result.url : result.type),
      (error: { code: string }) => session.told.push(error.code),
    );
  };

  for (const one of steps) {
    const target = 'of' in one ? all[all.length - 1 - one.of] : undefined;
    if (one.do === 'begin') begin(one);
    else if (one.do === 'link' && target) {
      const link = toLink(target, one.shape);
      const session = current();
      if (session && isAnswer(session, link)) end(session, link);
      device.sendLink(link);
    } else if (one.do === 'initial' && target) device.initial = toLink(target, one.shape);
    else if (one.do === 'state') {
      isActive = one.state === 'active';
      const session = current();
      if (session && !isActive) Object.assign(session, { hasLeft: true, graceEndsAt: null });
      startGrace(session);
      device.setAppState(one.state);
    } else if (one.do === 'wait') {
      await hearBrowsers();
      now += one.milliseconds;
      const session = current();
      const [graceEndsAt, timeoutAt] = [session?.graceEndsAt ?? Number.POSITIVE_INFINITY, session?.timeoutAt ?? 0];
      if (session && Math.min(graceEndsAt, timeoutAt) <= now) {
        if (graceEndsAt <= timeoutAt) session.allowed.add('cancel');
        if (timeoutAt <= graceEndsAt) session.allowed.add('dismiss');
        session.isUnderWay = false;
      }
      await device.wait(one.milliseconds);
    } else if (one.do === 'browser' && target) {
      const foreign = toLink(all[0] === target ? { ...target, state: 'forged' } : (all[0] ?? target), 0);
      const outcome =
        one.outcome === 'fails'
          ? new Error('no browser')
          : one.outcome === 'answer'
            ? { type: 'success' as const, url: toLink(target, ANSWER) }
            : one.outcome === 'strange'
              ? { type: 'success' as const, url: foreign }
              : { type: one.outcome };
      // A browser ends once.
      if (!unheard.some(([session]) => session === target) && target.graceEndsAt === null && !target.waitsForLink) {
        unheard.push([target, outcome]);
        target.browser.end(outcome);
      }
    } else if (one.do === 'abort' && target) {
      end(target, 'dismiss');
      target.controller.abort();
    } else if (one.do === 'dismiss') {
      end(current(), 'dismiss');
      sessions.dismiss();
    }
    if (!one.flush && one.do !== 'wait') continue;
    await hearBrowsers();
    check(all);
    if (current() === undefined) expect(device.left, 'what is left without a session').toBe(0);
  }
  await hearBrowsers();
  end(current(), 'dismiss');
  sessions.dismiss();
  await settled();
  check(all);
  expect(device.left, 'what is left at the end').toBe(0);
  const ends: Record<string, number> = {};
  for (const {
    told: [how = ''],
  } of all) {
    const way = how.includes(':') ? 'success' : how;
    ends[way] = (ends[way] ?? 0) + 1;
  }
  return ends;
}

function check(all: readonly Expected[]): void {
  for (const { id, isUnderWay, allowed, told, browser } of all) {
    expect(told.length, `how often session ${id} has ended`).toBe(isUnderWay ? 0 : 1);
    if (!isUnderWay) expect([...allowed], `how session ${id} may end`).toContain(told[0]);
    expect(browser.dismissals, `how often the browser of session ${id} was closed`).toBeLessThan(2);
  }
}

it('ends each session once, and by nothing of another, in random orders of events', async () => {
  const ends: Record<string, number> = {};
  const orders = fc.array(step, { minLength: 4, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(orders, async (steps) => {
      for (const [how, sessions] of Object.entries(await play(steps))) ends[how] = (ends[how] ?? 0) + sessions;
    }),
    RUNS,
  );
  // Each way to end has been there, or nothing was shown of it.
  const ways = ['ERR_WEB_BROWSER_OPEN', 'ERR_WEB_BROWSER_REDIRECT', 'cancel', 'dismiss', 'locked', 'success'];
  expect(Object.keys(ends).toSorted()).toEqual(ways);
});
