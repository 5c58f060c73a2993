import { Slot } from 'appkit-router';
import './site.css';

export default function SiteLayout() {
  return (
    <div id="site-layout">
      <Slot />
    </div>
  );
}
