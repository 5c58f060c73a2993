export function loader(): string {
  return 'data';
}

export default function Throws(): never {
  throw new Error('a secret of the page');
}
