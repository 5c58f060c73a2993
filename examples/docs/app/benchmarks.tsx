import { useLoaderData } from 'appkit-router';
import { PageHead } from '../components/page-head.tsx';
import { Prose } from '../components/prose.tsx';
import { readBenchmarks } from '../server/benchmarks.ts';

export function loader() {
  return readBenchmarks();
}

export default function Benchmarks() {
  return (
    <main id="content" className="wide">
      <PageHead
        title="Benchmarks"
        description="Requests per second, latency and start-up time of appkit, compared with other servers and frameworks."
      />
      <Prose html={useLoaderData<typeof loader>().html} />
    </main>
  );
}
