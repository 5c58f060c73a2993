import { Slot } from 'appkit-router';

export default function ShopLayout() {
  return (
    <section id="shop-layout">
      <Slot />
    </section>
  );
}
