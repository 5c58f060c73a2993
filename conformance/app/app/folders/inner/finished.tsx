/** The export finishes it. */
export default function Finished() {
  return <h1>For members</h1>;
}
