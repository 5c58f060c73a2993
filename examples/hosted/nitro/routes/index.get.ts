export default () => new Response('<h1>Home at /</h1>', { headers: { 'content-type': 'text/html' } });
