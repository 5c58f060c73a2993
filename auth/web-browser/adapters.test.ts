import { describe, expect, it, vi } from 'vitest';
import { createExpoBrowser } from './expo-browser.ts';
import { createInAppBrowser } from './in-app-browser.ts';

const redirectUrl = 'com.example.app:/callback';
const session = {
  redirectUrl,
  options: {
    preferEphemeralSession: true,
    toolbarColor: '#fff',
    state: 's',
    graceMs: 1,
    timeoutMs: 2,
    showTitle: undefined,
  },
};

/** What expo-web-browser 57 has, whose native half answers as told. */
function createExpo(answer: object) {
  return {
    openAuthSessionAsync: vi.fn(async () => answer as { type: string }),
    openBrowserAsync: vi.fn(async () => answer as { type: string }),
    dismissAuthSession: vi.fn(),
  };
}

/** What react-native-inappbrowser-reborn 3.7 has. */
function createInApp(answer: object, isAvailable = true) {
  return {
    open: vi.fn(async () => answer as { type: string }),
    openAuth: vi.fn(async () => answer as { type: string }),
    close: vi.fn(),
    closeAuth: vi.fn(),
    isAvailable: async () => isAvailable,
  };
}

describe('expo-web-browser', () => {
  it('opens a session of iOS with the options of a browser', async () => {
    const expo = createExpo({ type: 'success', url: `${redirectUrl}?code=1` });
    const browser = createExpoBrowser(expo, 'ios');
    expect(await browser.open('https://p.example', session)).toEqual({ type: 'success', url: `${redirectUrl}?code=1` });
    const options = { preferEphemeralSession: true, toolbarColor: '#fff' };
    expect(expo.openAuthSessionAsync.mock.calls).toEqual([['https://p.example', redirectUrl, options]]);
    await browser.dismiss?.();
    expect(expo.dismissAuthSession).toHaveBeenCalledOnce();
  });

  it.each([
    [{ type: 'cancel' }, 'cancel'],
    [{ type: 'dismiss' }, 'dismiss'],
    [{ type: 'cancel', error: 'x (com.apple.AuthenticationServices.WebAuthenticationSession error 1.)' }, 'cancel'],
    [{ type: 'cancel', error: 'x (com.apple.AuthenticationServices.WebAuthenticationSession-Fehler 1.)' }, 'cancel'],
  ])('ends as iOS says: %j', async (answer, type) => {
    expect(await createExpoBrowser(createExpo(answer), 'ios').open('https://p.example', session)).toEqual({ type });
  });

  it.each([
    { type: 'cancel', error: 'x (com.apple.AuthenticationServices.WebAuthenticationSession error 2.)' },
    { type: 'cancel', error: 'Application with identifier x is not associated with domain y.' },
    { type: 'locked' },
    { type: 'success' },
  ])('fails as iOS says: %j', async (answer) => {
    const opening = createExpoBrowser(createExpo(answer), 'ios').open('https://p.example', session);
    await expect(opening).rejects.toThrow(answer.error ?? answer.type);
  });

  it('opens a custom tab on Android, which says nothing more and cannot be closed', async () => {
    const expo = createExpo({ type: 'opened' });
    const browser = createExpoBrowser(expo, 'android');
    expect(await browser.open('https://p.example', session)).toEqual({ type: 'opened' });
    expect(expo.openAuthSessionAsync).not.toHaveBeenCalled();
    expect(browser.dismiss).toBeUndefined();
    await expect(
      createExpoBrowser(createExpo({ type: 'locked' }), 'android').open('https://p.example', session),
    ).rejects.toThrow('locked');
  });

  it('opens a page', async () => {
    const browser = createExpoBrowser(createExpo({ type: 'cancel' }), 'ios');
    expect(await browser.openPage('https://p.example', {})).toEqual({ type: 'cancel' });
  });
});

describe('react-native-inappbrowser-reborn', () => {
  it('opens nothing for a session that has ended while it asked whether it can', async () => {
    const inApp = createInApp({ type: 'success' });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const browser = createInAppBrowser({ ...inApp, isAvailable: () => promise }, 'ios');
    const opening = browser.open('https://p.example', session);
    await browser.dismiss?.();
    resolve(true);
    expect(await opening).toEqual({ type: 'dismiss' });
    expect(inApp.openAuth).not.toHaveBeenCalled();
  });

  it('opens a session of iOS with the options in its own names', async () => {
    const inApp = createInApp({ type: 'success', url: `${redirectUrl}?code=1` });
    const browser = createInAppBrowser(inApp, 'ios');
    expect(await browser.open('https://p.example', session)).toEqual({ type: 'success', url: `${redirectUrl}?code=1` });
    expect(inApp.openAuth.mock.calls).toEqual([
      [
        'https://p.example',
        redirectUrl,
        {
          animated: true,
          ephemeralWebSession: true,
          modalEnabled: true,
          preferredBarTintColor: '#fff',
          toolbarColor: '#fff',
        },
      ],
    ]);
    await browser.dismiss?.();
    expect(inApp.closeAuth).toHaveBeenCalledOnce();
  });

  it.each(['cancel', 'dismiss'])('ends as iOS says: %s', async (type) => {
    expect(await createInAppBrowser(createInApp({ type }), 'ios').open('https://p.example', session)).toEqual({ type });
  });

  it.each([
    { type: 'cancel', description: 'no presentation context' },
    { type: 'cancel', message: 'openAuth requires iOS 11 or greater' },
    { type: 'success' },
  ])('fails as iOS says: %j', async (answer) => {
    const opening = createInAppBrowser(createInApp(answer), 'ios').open('https://p.example', session);
    await expect(opening).rejects.toThrow(answer.description ?? answer.message ?? answer.type);
  });

  it.each([
    ['cancel', 'closed'],
    ['dismiss', 'dismiss'],
  ])('takes a custom tab of Android that ends as %s for %s', async (type, expected) => {
    const inApp = createInApp({ type });
    const browser = createInAppBrowser(inApp, 'android');
    expect(await browser.open('https://p.example', session)).toEqual({ type: expected });
    expect(inApp.openAuth).not.toHaveBeenCalled();
    await browser.dismiss?.();
    expect(inApp.close).toHaveBeenCalledOnce();
  });

  it('says that there is no browser', async () => {
    const browser = createInAppBrowser(createInApp({}, false), 'android');
    await expect(browser.open('https://p.example', session)).rejects.toThrow('no browser');
    await expect(browser.openPage('https://p.example', {})).rejects.toThrow('no browser');
  });
});
