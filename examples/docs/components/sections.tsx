/** A list of the sections on a page. */
export function Sections({ sections }: { sections: readonly { id: string; title: string }[] }) {
  if (sections.length < 2) return <div />;
  return (
    <nav className="sections" aria-label="On this page">
      <p>On this page</p>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
