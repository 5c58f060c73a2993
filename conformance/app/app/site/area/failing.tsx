export function loader(): never {
  throw new Error('a secret of the loader');
}

export default function Failing() {
  return <h1>Never seen</h1>;
}
