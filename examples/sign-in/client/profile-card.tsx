import { useEffect, useState, type ReactNode } from 'react';
import type { Profile } from '../server/answers.ts';

/** The user who is signed in, with the buttons for them. */
export function ProfileCard({ profile, children }: { profile: Profile; children: ReactNode }): ReactNode {
  const { name, email, picture, scopes, expiresAt } = profile;
  return (
    <>
      <header>
        {picture === null ? (
          <span className="picture">{name.slice(0, 1)}</span>
        ) : (
          <img className="picture" src={picture} alt="" />
        )}
        <div>
          <h2>{name}</h2>
          {email !== null && <p className="faint">{email}</p>}
        </div>
      </header>
      <dl>
        <dt>Scopes</dt>
        <dd>
          {scopes.map((scope) => (
            <code key={scope}>{scope}</code>
          ))}
        </dd>
        <dt>Access token</dt>
        <dd>{expiresAt === null ? 'does not expire' : <Countdown to={expiresAt} />}</dd>
        <dt>This page holds</dt>
        <dd>no token: the session cookie is sealed, and no script can read it</dd>
      </dl>
      <footer>{children}</footer>
    </>
  );
}

function Countdown({ to }: { to: number }): ReactNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  // Up to a second has gone by since then.
  const left = Math.max(0, to - Math.ceil(now / 1000));
  if (left === 0) return 'has expired, and is refreshed when it is needed';
  return `expires in ${Math.floor(left / 60)} min ${String(left % 60).padStart(2, '0')} s`;
}
