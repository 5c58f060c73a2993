export default function Special() {
  return <h1>A page of its own</h1>;
}
