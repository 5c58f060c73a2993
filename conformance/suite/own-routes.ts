import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { json } from '../generic/expect-json.ts';

// Nothing listens there: a request over the network fails.
const unreachable = ['Host', 'appkit.localhost:1'] as const;
const cookie = ['Cookie', 'visitor=1'] as const;

behaviour('answers a route that asks another of its routes without the network', 'fetchRoute', async (host) => {
  const answer = await host.send({ path: '/own/asks?name=a%2Fb', headers: [unreachable, cookie] });
  expect(JSON.parse(answer.body.toString())).toEqual({
    status: 200,
    answer: { name: 'a/b', asked: 'a b', cookie: 'visitor=1', hasId: true },
  });
});

behaviour('gives the visitor the cookies of a route that another asks', 'fetchRoute', async (host) => {
  const asked = await host.fetch('/own/asks?name=given', { headers: { cookie: 'visitor=1' } });
  expect(asked.headers.getSetCookie()).toContain('asked=given');
  const stranger = await host.fetch('/own/asks', { method: 'DELETE', headers: { cookie: 'visitor=1' } });
  expect(stranger.headers.getSetCookie()).not.toContain('asked=stranger');
  expect(await json(stranger)).toMatchObject({
    status: 200,
    answer: { name: 'stranger', cookie: null },
    path: host.target('/own/stranger'),
  });
});

behaviour('follows a redirect between its routes, with the body', 'fetchRoute', async (host) => {
  const headers = [unreachable, ['Content-Length', '4'] as const, ['Content-Type', 'text/plain'] as const];
  const answer = await host.send({ method: 'POST', path: '/own/asks', headers, body: 'sent' });
  expect(JSON.parse(answer.body.toString())).toEqual({ status: 200, answer: { name: 'kept', text: 'sent' } });
});

behaviour('answers a page whose loader asks a route without the network', 'fetchRoute', async (host) => {
  const page = await host.send({ path: '/site/data/own', headers: [unreachable, cookie] });
  expect(page.body.toString().replaceAll('<!-- -->', '')).toContain('<p>loader with visitor=1</p>');
});

behaviour('answers a route that asks another by the URL of the server', 'fetch of its own origin', async (host) => {
  expect(await json(await host.fetch('/own/asks', { method: 'PUT' }))).toMatchObject({
    status: 200,
    answer: { name: 'far', cookie: null },
  });
});

behaviour('hands its request on with the body', 'Fetch Request(input)', async (host) => {
  const init = { body: 'handed on', headers: { 'content-type': 'text/x-conformance' } };
  const forwarded = await host.fetch('/own/forwards', { method: 'POST', ...init });
  expect(await json(forwarded)).toEqual({ name: 'kept', text: 'handed on' });
  const copied = await host.fetch('/own/forwards', { method: 'PUT', ...init });
  expect(await json(copied)).toEqual({ read: 'handed on', name: 'kept', text: 'handed on' });
});
