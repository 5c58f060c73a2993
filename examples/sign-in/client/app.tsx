import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Profile } from '../server/answers.ts';
import { getProfile, getUserInfo } from './api.ts';
import { failureInWords } from './failure.ts';
import { ProfileCard } from './profile-card.tsx';

/** The page: asks the server who is signed in. Signing in is a link, and signing out a form. */
export function App(): ReactNode {
  const [profile, setProfile] = useState<Profile | null | undefined>(undefined);
  const [problem, setProblem] = useState(() => failureInWords(location.search));
  useEffect(() => {
    getProfile().then(setProfile, (error: Error) => setProblem(error.message));
    // So that the message is not shown again when the page is reloaded.
    history.replaceState(null, '', location.pathname);
  }, []);
  return (
    <main>
      <h1>Sign-in</h1>
      <p className="faint">
        By <code>app/auth/[...auth]+api.ts</code>, which keeps the tokens on the server.
      </p>
      <section>
        {profile === undefined && problem === '' && <p className="faint">Loading …</p>}
        {profile === null && (
          <>
            <h2>You are not signed in</h2>
            <a className="button" href="/auth/sign-in">
              Sign in
            </a>
          </>
        )}
        {profile && <SignedIn profile={profile} onSignedOut={() => setProfile(null)} onProblem={setProblem} />}
        {problem !== '' && <p role="alert">{problem}</p>}
      </section>
    </main>
  );
}

interface SignedInProps {
  profile: Profile;
  onProblem(text: string): void;
  onSignedOut(): void;
}

function SignedIn({ profile, onProblem, onSignedOut }: SignedInProps): ReactNode {
  const [claims, setClaims] = useState<Record<string, unknown> | null>(null);

  async function onAsk(): Promise<void> {
    onProblem('');
    try {
      const answer = await getUserInfo();
      if (answer) return setClaims(answer.claims);
      onSignedOut();
      onProblem('You are no longer signed in.');
    } catch (error) {
      onProblem((error as Error).message);
    }
  }

  return (
    <ProfileCard profile={profile}>
      <button className="quiet" onClick={() => void onAsk()}>
        Ask the provider
      </button>
      <form method="post" action="/auth/sign-out">
        <button className="quiet">Sign out</button>
      </form>
      {claims && <p role="status">The provider says: {JSON.stringify(claims)}</p>}
    </ProfileCard>
  );
}
