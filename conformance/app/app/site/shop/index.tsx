export default function Shop() {
  return <h1>The shop</h1>;
}
