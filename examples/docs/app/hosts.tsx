import { Link, useLoaderData } from 'appkit-router';
import { HostTable } from '../components/host-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Prose } from '../components/prose.tsx';
import { readHosts } from '../server/hosts.ts';
import type { BehaviourGroup } from '../server/hosts.ts';

export function loader() {
  return readHosts();
}

export default function Hosts() {
  const { hosts, groups, notes } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="wide">
      <PageHead
        title="Hosts"
        description="Which behaviours of appkit were shown on which host, over HTTP, and why a host has gaps."
      />
      <h1>Hosts</h1>
      <p>
        Every behaviour is tested over HTTP against the host itself, with an app that the packed command line exported
        and the packed appkit-server serves. <Link href="/peers">Peers</Link> are servers of other projects, asked for
        what every server of HTTP and Fetch should show.
      </p>
      <HostTable hosts={hosts} />
      <h2>Behaviour by behaviour</h2>
      <p>
        A <b className="ok">✓</b> is a behaviour shown. A <b className="gap">gap</b> is one that the host cannot show,
        and why stands <a href="#gaps">below</a>. A <b>—</b> is one that <a href="#not-applicable">does not apply</a>.
        An empty cell was not run.
      </p>
      <nav className="jump" aria-label="Kinds of behaviour">
        {groups.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {groups.map((group) => (
        <Matrix key={group.id} group={group} />
      ))}
      <Prose html={notes.html} />
    </main>
  );
}

const CLASSES: Readonly<Record<string, string>> = { '✓': 'ok', gap: 'gap' };

function Matrix({ group: { id, title, hosts, behaviours } }: { group: BehaviourGroup }) {
  return (
    <section>
      <h3 id={id}>{title}</h3>
      <div className="scroll" tabIndex={0} role="group" aria-label={title}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Behaviour</th>
              {hosts.map((host) => (
                <th key={host} scope="col">
                  <span>{host}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {behaviours.map(({ name, results }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {results.map((result, index) => (
                  <td key={hosts[index]} className={CLASSES[result]}>
                    {result}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
