import { useLoaderData } from 'appkit-router';
import { Menu } from '../../components/menu.tsx';
import { NavLink } from '../../components/nav-link.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Prose } from '../../components/prose.tsx';
import { Sections } from '../../components/sections.tsx';
import { PACKAGES, readPackage } from '../../server/api.ts';
import type { Entry } from '../../server/api.ts';

export function generateStaticParams() {
  return PACKAGES.map((name) => ({ name }));
}

export function loader(request: Request, { name = '' }: Record<string, string>) {
  return { packages: [...PACKAGES], ...readPackage(name) };
}

export default function Package() {
  const { packages, name, description, entries } = useLoaderData<typeof loader>();
  const [main] = entries;
  const sections = [
    ...(main?.exports ?? []).map(({ id, name }) => ({ id, title: name })),
    ...entries.slice(1).map((entry) => ({ id: entry.id, title: toTitle(entry).slice(name.length + 1) })),
  ];
  return (
    <div className="columns">
      <PageHead title={name} description={`The exports of ${name}. ${description}`} />
      <Menu label="Packages">
        <p>Packages</p>
        <ul>
          {packages.map((one) => (
            <li key={one}>
              <NavLink href={`/api/${one}`}>{one}</NavLink>
            </li>
          ))}
        </ul>
      </Menu>
      <main id="content" className="api">
        <h1>{name}</h1>
        <p className="lead">{description}</p>
        {entries.map((entry) => (
          <section key={entry.id}>
            <h2 id={entry.id}>{toTitle(entry)}</h2>
            {entry.exports.map(({ id, name, kind, html }) => (
              <article key={id}>
                <h3 id={id}>
                  <code>{name}</code> <small>{kind}</small>
                </h3>
                <Prose html={html} />
              </article>
            ))}
            {entry.described.length > 0 && <Described entry={entry} />}
          </section>
        ))}
      </main>
      <Sections sections={sections} />
    </div>
  );
}

function Described({ entry }: { entry: Entry }) {
  return (
    <p>
      {entry.exports.length > 0 ? 'Also' : 'Exports'}, as above:{' '}
      {entry.described.map(({ name, id }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`#${id}`}>
            <code>{name}</code>
          </a>
        </span>
      ))}
    </p>
  );
}

function toTitle({ specifier, condition }: Entry): string {
  return condition === undefined ? specifier : `${specifier} (${condition})`;
}
