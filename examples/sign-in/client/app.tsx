import { endSessionAsync, Prompt, useAuthRequest, useAutoDiscovery, type AuthSessionResult } from 'appkit-auth-session';
import { useEffect, useState, type ReactNode } from 'react';
import type { Config, Profile } from '../server/answers.ts';
import { ApiError, exchange, getConfig, getProfile, refresh, signOut } from './api.ts';
import { ProfileCard } from './profile-card.tsx';
import { errorInWords, resultInWords } from './words.ts';

/** The page: loads what it needs, then lets the user sign in. */
export function App(): ReactNode {
  const [loaded, setLoaded] = useState<{ config: Config; profile: Profile | null } | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    Promise.all([getConfig(), getProfile()]).then(
      ([config, profile]) => setLoaded({ config, profile }),
      (error: unknown) => setProblem(errorInWords(error)),
    );
  }, []);
  return (
    <main>
      <h1>Sign-in</h1>
      <p className="faint">
        By a popup. The page gives the code to <code>app/token+api.ts</code>, which alone has the client secret.
      </p>
      {loaded && <Session {...loaded} />}
      {!loaded && <section>{problem ? <p role="alert">{problem}</p> : <p className="faint">Loading …</p>}</section>}
    </main>
  );
}

function Session({ config, profile: initial }: { config: Config; profile: Profile | null }): ReactNode {
  const { clientId, issuer, scopes } = config;
  const [profile, setProfile] = useState(initial);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<{ role: 'alert' | 'status'; text: string } | null>(null);
  const warn = (text: string): void => setMessage({ role: 'alert', text });

  const callback = `${location.origin}/callback`;
  const discovery = useAutoDiscovery(issuer, { onError: () => warn(`The provider ${issuer} cannot be reached.`) });
  const prompt = scopes.includes('offline_access') ? Prompt.Consent : undefined; // OpenID Connect Core section 11
  const [request, , promptAsync] = useAuthRequest({ clientId, redirectUri: callback, scopes, prompt }, discovery);

  async function attempt(action: () => Promise<void>): Promise<void> {
    setBusy(true);
    setMessage(null);
    try {
      await action();
    } catch (error) {
      // Another tab has signed out, or the provider has.
      if (error instanceof ApiError && error.status === 401) setProfile(null);
      warn(errorInWords(error));
    }
    setBusy(false);
  }

  const onSignIn = (): Promise<void> =>
    attempt(async () => {
      if (request === null || discovery === null) return;
      // First thing in the click: a browser blocks popups that open later.
      const result = await promptAsync();
      try {
        if (isSuccess(result)) setProfile(await exchange(request, result.params['code']));
        else warn(resultInWords(result));
      } finally {
        // A request is answered once. The next click finds another one ready.
        await request.makeAuthUrlAsync(discovery);
      }
    });

  const onRefresh = (): Promise<void> =>
    attempt(async () => {
      setProfile(await refresh());
      setMessage({ role: 'status', text: 'The server has a new access token.' });
    });

  const onSignOut = (): Promise<void> =>
    attempt(async () => {
      // The popup before anything is awaited, as above.
      const left = leaveProvider();
      await signOut().finally(() => setProfile(null));
      if (!(await left)) setMessage({ role: 'status', text: 'You are signed out here, but not at the provider.' });
    });

  /** Ends the session that the provider keeps in this browser. Gives whether it has. */
  async function leaveProvider(): Promise<boolean> {
    if (!discovery?.endSessionEndpoint) return false;
    try {
      const { type } = await endSessionAsync({ clientId, postLogoutRedirectUri: callback }, discovery);
      return type === 'success';
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  return (
    <section aria-busy={isBusy}>
      {profile === null ? (
        <>
          <h2>You are not signed in</h2>
          <button onClick={onSignIn} disabled={request === null || isBusy}>
            Sign in
          </button>
        </>
      ) : (
        <ProfileCard profile={profile}>
          <button onClick={onRefresh} disabled={isBusy} className="quiet">
            Refresh
          </button>
          <button onClick={onSignOut} disabled={isBusy} className="quiet">
            Sign out
          </button>
        </ProfileCard>
      )}
      {message && <p role={message.role}>{message.text}</p>}
    </section>
  );
}

function isSuccess(result: AuthSessionResult): result is Extract<AuthSessionResult, { params: unknown }> {
  return result.type === 'success';
}
