import { Link, useLoaderData } from 'appkit-router';
import { PageHead } from '../../components/page-head.tsx';
import { PACKAGES, readPackage } from '../../server/api.ts';

export function loader() {
  return { packages: PACKAGES.map(readPackage).map(({ name, description }) => ({ name, description })) };
}

export default function Api() {
  const { packages } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="narrow">
      <PageHead
        title="API"
        description="Everything that appkit's packages export: functions, components and types, from their declarations."
      />
      <h1>API</h1>
      <p>What each package exports, from its type declarations.</p>
      <ul className="cards">
        {packages.map(({ name, description }) => (
          <li key={name}>
            <Link href={`/api/${name}`}>{name}</Link>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
