export default function Cafe() {
  return <h1>The café</h1>;
}
