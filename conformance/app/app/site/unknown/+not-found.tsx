export default function NotFound() {
  return <h1>Never seen</h1>;
}
