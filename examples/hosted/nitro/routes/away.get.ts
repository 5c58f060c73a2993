export default () => new Response(null, { status: 302, headers: { location: '/' } });
