export default function Written() {
  return <h1>Written by the export</h1>;
}
