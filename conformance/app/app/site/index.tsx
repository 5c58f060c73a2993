export default function Site() {
  return (
    <main>
      <title>Site</title>
      <h1>The site</h1>
    </main>
  );
}
