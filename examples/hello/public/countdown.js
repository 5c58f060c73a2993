import { element } from './page.js';

let countdown;

function setCounting(isCounting) {
  element('start').disabled = isCounting;
  element('stop').disabled = !isCounting;
}

function stopCounting() {
  countdown?.close();
  setCounting(false);
}

element('start').addEventListener('click', () => {
  setCounting(true);
  countdown = new EventSource('/countdown?from=10&everyMs=500');
  countdown.addEventListener('message', ({ data }) => {
    element('countdown').textContent = data;
    if (data === '0') stopCounting();
  });
  // Without this, the browser would connect again and the countdown start over.
  countdown.addEventListener('error', stopCounting);
});
element('stop').addEventListener('click', stopCounting);
