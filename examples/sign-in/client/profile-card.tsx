import type { ReactNode } from 'react';
import type { Profile } from '../server/answers.ts';

/** The signed-in user, with the buttons for them. */
export function ProfileCard({ profile, children }: { profile: Profile; children: ReactNode }): ReactNode {
  const { name, email, picture, scopes, endsAt } = profile;
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
        <dt>Signed in until</dt>
        <dd>{new Date(endsAt * 1000).toLocaleString()}</dd>
        <dt>This page holds</dt>
        <dd>no token: the session cookie is sealed, and no script can read it</dd>
      </dl>
      <footer>{children}</footer>
    </>
  );
}
