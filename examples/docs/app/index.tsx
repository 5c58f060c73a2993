import { Link, useLoaderData } from 'appkit-router';
import { countBehaviours } from '../components/find-behaviours.ts';
import { HostTable } from '../components/host-table.tsx';
import { PageHead } from '../components/page-head.tsx';
import { readRatios } from '../server/benchmarks.ts';
import { highlight } from '../server/highlight.ts';
import { readHosts } from '../server/hosts.ts';

const ROUTE = `export function GET(request: Request) {
  const url = new URL(request.url);
  const q = url.searchParams.get('q');
  return Response.json({ q });
}`;

export async function loader() {
  const { hosts, matrix } = await readHosts();
  return {
    hosts,
    behaviours: countBehaviours(matrix.groups),
    ratios: await readRatios(),
    route: highlight(ROUTE, 'typescript'),
    commands: highlight('appkit export -p web\nappkit serve', 'shellscript'),
  };
}

export default function Home() {
  const { hosts, behaviours, ratios, route, commands } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="home">
      <PageHead
        title="appkit"
        description="Write a server route as a file and run it on any host, with proof that every host behaves the same."
      />
      <section className="hero">
        <div>
          <h1>
            Write a route.
            <br />
            Run it on any host.
          </h1>
          <p className="lead">
            A server route is a file, and so is a page. appkit turns them into files that Node, Express, Bun, Deno,
            Vercel, Netlify, Cloudflare and AWS Lambda host, with proof that each host behaves the same.
          </p>
          <p className="actions">
            <Link className="button" href="/guide/getting-started">
              Get started
            </Link>
            <Link href="/guide/why">Why appkit</Link>
            <Link href="/hosts">See the proof</Link>
          </p>
        </div>
        <div className="files">
          <figure>
            <figcaption>app/search+api.ts</figcaption>
            <div dangerouslySetInnerHTML={{ __html: route }} />
          </figure>
          <figure>
            <figcaption>Export it, and serve it</figcaption>
            <div dangerouslySetInnerHTML={{ __html: commands }} />
          </figure>
        </div>
      </section>
      <section>
        <h2>{behaviours} behaviours, tested on every host</h2>
        <p>
          One suite tests each host over HTTP, with an app that the packed CLI has exported. A gap is a behaviour that
          the host cannot show; it is still run, and the reason is documented.{' '}
          <Link href="/hosts">All of them, host by host</Link>
        </p>
        <HostTable hosts={hosts} />
      </section>
      <section>
        <h2>What it costs</h2>
        <div className="ratios">
          {ratios.map(({ server, baseline, task, value }) => (
            <p key={server}>
              <strong>{value} ×</strong> the requests per second of {baseline}, by {server}, for {task}
            </p>
          ))}
        </div>
        <p>
          1 × means as fast as that server without appkit. <Link href="/benchmarks">All measurements</Link>
        </p>
      </section>
    </main>
  );
}
