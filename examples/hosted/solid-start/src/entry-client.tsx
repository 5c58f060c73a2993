import { mount, StartClient } from '@solidjs/start/client';

const place = document.getElementById('app');
if (place) mount(() => <StartClient />, place);
