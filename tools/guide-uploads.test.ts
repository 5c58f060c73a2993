import { expect, it } from 'vitest';
import { handlerOf } from '../runtime/fixtures/app.ts';
import { filesIn, importSample } from './guide-samples.ts';

it('the route of the guide accepts a small picture, and answers 413 to a large one', async () => {
  const files = filesIn('docs/guide/uploads.md');
  const avatar = await importSample<Record<string, unknown>>(files, 'app/avatar+api.ts', {});
  const app = handlerOf({ routes: { '/': avatar } });
  const send = async (bytes: number, type: string): Promise<Response> => {
    const form = new FormData();
    form.set('picture', new File([new Uint8Array(bytes)], 'me.png', { type }));
    // As bytes: Node 24 fails when a stream that it creates from a form is cancelled.
    const { headers, body } = new Response(form);
    const whole = await new Response(body).arrayBuffer();
    return app(new Request('http://app.test/', { method: 'POST', body: whole, headers }));
  };
  expect(await (await send(1000, 'image/png')).json()).toEqual({ name: 'me.png', bytes: 1000 });
  expect((await send(1000, 'text/html')).status).toBe(415);
  expect((await send(1_000_000, 'image/png')).status).toBe(413);
});
