import { notFound, Slot } from 'appkit-router';

export function loader(): never {
  notFound();
}

/** Surrounds the `+not-found` of its folder as well, which therefore cannot be shown. */
export default function UnknownLayout() {
  return <Slot />;
}
