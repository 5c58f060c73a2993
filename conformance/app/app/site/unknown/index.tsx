export default function Unknown() {
  return <h1>Never seen</h1>;
}
