import { describe, expect, it } from 'vitest';
import { createDevice, createScriptedBrowser, settled } from './fixtures/device.ts';
import type { Device, ScriptedBrowser } from './fixtures/device.ts';
import { createNativeSessions } from './native-session.ts';
import type { NativeSessions } from './native-session.ts';
import type { AuthSessionOpenOptions } from './options.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';

const redirectUrl = 'com.example.app:/callback';
const answer = `${redirectUrl}?code=1&state=own`;

interface Begun {
  device: Device;
  browser: ScriptedBrowser;
  sessions: NativeSessions;
  result: Promise<WebBrowserAuthSessionResult>;
  /** How the session has ended, or undefined. */
  outcome: () => WebBrowserAuthSessionResult | Error | undefined;
}

function begin(options: AuthSessionOpenOptions = {}, { initial = null as string | null, state = 'own' } = {}): Begun {
  const device = createDevice();
  device.initial = initial;
  const browser = createScriptedBrowser();
  const sessions = createNativeSessions(device);
  const result = sessions.open(browser, { url: 'https://provider.example/', redirectUrl, state, options });
  let outcome: WebBrowserAuthSessionResult | Error | undefined;
  result.then(
    (value) => (outcome = value),
    (error: Error) => (outcome = error),
  );
  return { device, browser, sessions, result, outcome: () => outcome };
}

/** A session in a browser that does not tell how it ends, and the user in it. */
async function beginAndLeave(options?: AuthSessionOpenOptions, initial?: string): Promise<Begun> {
  const begun = begin(options, { initial: initial ?? null });
  begun.browser.end({ type: 'opened' });
  begun.device.setAppState('background');
  await settled();
  return begun;
}

it('keeps out no later session when the platform has failed', async () => {
  const { onLink, ...rest } = createDevice();
  let failures = 1;
  const sessions = createNativeSessions({
    ...rest,
    onLink(listener) {
      if (failures-- > 0) throw new Error('no native module');
      return onLink(listener);
    },
  });
  const open = (browser: ScriptedBrowser): Promise<WebBrowserAuthSessionResult> =>
    sessions.open(browser, { url: 'https://provider.example/', redirectUrl, state: 'own', options: {} });
  await expect(open(createScriptedBrowser())).rejects.toMatchObject({ code: 'ERR_WEB_BROWSER_OPEN' });
  const browser = createScriptedBrowser();
  browser.end({ type: 'cancel' });
  expect(await open(browser)).toEqual({ type: 'cancel' });
});

describe('a browser that does not tell how it ends', () => {
  it('succeeds by the link, and closes the browser', async () => {
    const { device, browser, result } = await beginAndLeave();
    device.sendLink(answer);
    expect(await result).toEqual({ type: 'success', url: answer });
    expect(browser.dismissals).toBe(1);
    expect(device.left).toBe(0);
  });

  it('succeeds by a link with a signed answer, which has the state in it (JARM)', async () => {
    const { device, outcome, result } = await beginAndLeave();
    const linkWith = (claims: object): string =>
      `${redirectUrl}?response=e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
    for (const link of [linkWith({ state: 'other' }), linkWith({}), `${redirectUrl}?response=e30.*.c2ln`]) {
      device.sendLink(link);
      await settled();
      expect(outcome()).toBeUndefined();
    }
    device.sendLink(linkWith({ state: 'own' }));
    expect(await result).toEqual({ type: 'success', url: linkWith({ state: 'own' }) });
  });

  it('succeeds by a link that comes after the app has become active', async () => {
    const { device, result } = await beginAndLeave();
    device.setAppState('active');
    await device.wait(1499);
    device.sendLink(answer);
    expect(await result).toEqual({ type: 'success', url: answer });
    expect(device.left).toBe(0);
  });

  it('succeeds by the initial link of an activity that was created again', async () => {
    const { device, result } = await beginAndLeave();
    device.initial = answer;
    device.setAppState('active');
    expect(await result).toEqual({ type: 'success', url: answer });
    expect(device.left).toBe(0);
  });

  it('does not take the initial link that was there before', async () => {
    const { device, outcome } = await beginAndLeave({}, answer);
    device.setAppState('active');
    await settled();
    expect(outcome()).toBeUndefined();
  });

  it('is cancelled when the user is back for a while without an answer', async () => {
    const { device, outcome } = await beginAndLeave();
    device.setAppState('active');
    await device.wait(1499);
    expect(outcome()).toBeUndefined();
    await device.wait(1);
    expect(outcome()).toEqual({ type: 'cancel' });
    expect(device.left).toBe(0);
  });

  it('goes on while the user looks something up in another app, or in this one', async () => {
    const { device, result, outcome } = await beginAndLeave();
    for (const state of ['active', 'inactive', 'active', 'background']) {
      device.setAppState(state);
      await device.wait(1000);
    }
    await device.wait(600_000);
    expect(outcome()).toBeUndefined();
    device.sendLink(answer);
    expect((await result).type).toBe('success');
  });

  it('waits as long as graceMs says, for ever too', async () => {
    const patient = await beginAndLeave({ graceMs: 60_000 });
    patient.device.setAppState('active');
    await patient.device.wait(59_999);
    expect(patient.outcome()).toBeUndefined();
    const endless = await beginAndLeave({ graceMs: Number.POSITIVE_INFINITY });
    endless.device.setAppState('active');
    await endless.device.wait(1e9);
    expect(endless.outcome()).toBeUndefined();
    endless.device.sendLink(answer);
    expect((await endless.result).type).toBe('success');
  });

  it('is not ended by an app that says it is active without having been left', async () => {
    const { device, browser, outcome } = begin();
    browser.end({ type: 'opened' });
    device.setAppState('active');
    await device.wait(10_000);
    expect(outcome()).toBeUndefined();
  });

  it('is not ended by the app before the browser has opened', async () => {
    const { device, browser, outcome } = begin();
    device.setAppState('inactive');
    device.setAppState('active');
    await device.wait(10_000);
    expect(outcome()).toBeUndefined();
    browser.end({ type: 'opened' });
    await settled();
    await device.wait(1500);
    expect(outcome()).toEqual({ type: 'cancel' });
  });
});

describe('a browser that tells how it ends', () => {
  it('succeeds by the URL that it has come to', async () => {
    const { browser, device, result } = begin();
    browser.end({ type: 'success', url: answer });
    expect(await result).toEqual({ type: 'success', url: answer });
    expect(browser.dismissals).toBe(0);
    expect(device.left).toBe(0);
  });

  it.each([
    ['another path', 'com.example.app:/other?state=own'],
    ['another state', `${redirectUrl}?state=other`],
    ['no state', redirectUrl],
  ])('fails when that has %s', async (_, url) => {
    const { browser, result } = begin();
    browser.end({ type: 'success', url });
    await expect(result).rejects.toThrow(expect.objectContaining({ code: 'ERR_WEB_BROWSER_REDIRECT' }));
  });

  it.each(['cancel', 'dismiss'] as const)('ends as %s at once', async (type) => {
    const { browser, device, result } = begin();
    browser.end({ type });
    expect(await result).toEqual({ type });
    expect(device.left).toBe(0);
  });

  it('takes a link that comes after the browser has gone', async () => {
    const { browser, device, result } = begin();
    browser.end({ type: 'closed' });
    await device.wait(1000);
    device.sendLink(answer);
    expect((await result).type).toBe('success');
  });

  it('is cancelled when none comes', async () => {
    const { browser, device, outcome } = begin();
    browser.end({ type: 'closed' });
    await settled();
    await device.wait(1500);
    expect(outcome()).toEqual({ type: 'cancel' });
  });

  it('says that it could not be opened, and why', async () => {
    const { browser, device, sessions, result } = begin();
    const cause = new Error('no activity');
    browser.end(cause);
    await expect(result).rejects.toThrow(expect.objectContaining({ code: 'ERR_WEB_BROWSER_OPEN', cause }));
    expect(device.left).toBe(0);
    const next = createScriptedBrowser();
    const again = sessions.open(next, { url: 'https://provider.example/', redirectUrl, state: 'own', options: {} });
    next.end({ type: 'cancel' });
    expect(await again).toEqual({ type: 'cancel' });
  });
});

describe('a link', () => {
  it.each([
    'com.example.app:/callback2?state=own',
    'com.example.app:/callback/?state=own',
    'com.example.app:/callback%2F?state=own',
    'com.example.app://callback?state=own',
    'com.example.app.evil:/callback?state=own',
    'com.example.app:/other?state=own#com.example.app:/callback',
    `${redirectUrl}?state=other`,
    `${redirectUrl}?code=1`,
    '',
  ])('%j ends no session', async (url) => {
    const { device, outcome } = await beginAndLeave();
    device.sendLink(url);
    await settled();
    expect(outcome()).toBeUndefined();
  });

  it('may have the state in its fragment, and its scheme in capitals', async () => {
    const { device, result } = await beginAndLeave();
    device.sendLink('COM.example.app:/callback#access_token=a/b&state=own');
    expect((await result).type).toBe('success');
  });
});

describe('the app', () => {
  it('has one session at a time', async () => {
    const { sessions, browser, result } = begin();
    const other = createScriptedBrowser();
    const session = { url: 'https://provider.example/', redirectUrl, state: 'other', options: {} };
    expect(await sessions.open(other, session)).toEqual({ type: 'locked' });
    browser.end({ type: 'cancel' });
    expect(await result).toEqual({ type: 'cancel' });
  });

  it('dismisses a session, and may begin another at once', async () => {
    const { sessions, device, browser, result } = begin();
    sessions.dismiss();
    const next = createScriptedBrowser();
    const second = sessions.open(next, { url: 'https://provider.example/', redirectUrl, state: 'next', options: {} });
    expect(await result).toEqual({ type: 'dismiss' });
    expect(browser.dismissals).toBe(1);
    device.sendLink(answer);
    // What the first browser says now is nobody's.
    browser.end({ type: 'success', url: answer });
    await settled();
    device.sendLink(`${redirectUrl}?state=next`);
    expect(await second).toEqual({ type: 'success', url: `${redirectUrl}?state=next` });
    expect(device.left).toBe(0);
  });

  it('may begin another after a browser that has called back before it has returned', async () => {
    const device = createDevice();
    const sessions = createNativeSessions(device);
    const session = { url: 'https://provider.example/', redirectUrl, state: 'own', options: {} };
    const open = async (): Promise<{ type: 'opened' }> => {
      device.sendLink(answer);
      return { type: 'opened' };
    };
    const browser = { ...createScriptedBrowser(), open };
    for (const _ of ['first', 'second']) {
      expect(await sessions.open(browser, session)).toEqual({ type: 'success', url: answer });
    }
  });

  it('dismisses a session whose browser cannot be closed', async () => {
    const { sessions, browser, result } = begin();
    browser.dismiss = () => {
      throw new Error('not on Android');
    };
    sessions.dismiss();
    expect(await result).toEqual({ type: 'dismiss' });
  });

  it('ends a session by a signal', async () => {
    const controller = new AbortController();
    const { device, result } = begin({ signal: controller.signal });
    controller.abort();
    expect(await result).toEqual({ type: 'dismiss' });
    expect(device.left).toBe(0);
    expect(await begin({ signal: controller.signal }).result).toEqual({ type: 'dismiss' });
  });

  it('ends a session after its time', async () => {
    const { device, outcome } = begin({ timeoutMs: 60_000 });
    await device.wait(59_999);
    expect(outcome()).toBeUndefined();
    await device.wait(1);
    expect(outcome()).toEqual({ type: 'dismiss' });
    expect(device.left).toBe(0);
  });
});
