import type { HostResult } from '../server/hosts.ts';

/** How many behaviours were shown on each host. */
export function HostTable({ hosts }: { hosts: readonly HostResult[] }) {
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Hosts">
      <table className="hosts">
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">What runs</th>
            <th scope="col">Shown</th>
            <th scope="col">Gaps</th>
            <th scope="col">Not applicable</th>
            <th scope="col">Failures</th>
          </tr>
        </thead>
        <tbody>
          {hosts.map(({ name, runs, shown, gaps, notApplicable, failures }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{runs}</td>
              <td>
                <span className="share">
                  {shown}
                  <meter min={0} max={shown + gaps + notApplicable + failures} value={shown} aria-hidden="true" />
                </span>
              </td>
              <td>{gaps}</td>
              <td>{notApplicable}</td>
              <td>{failures}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
