/** Never requested openly: only a request inside another one names this route. */
function answer(): Response {
  return new Response('SMUGGLED', { headers: { 'x-smuggled': 'yes' } });
}

export { answer as GET, answer as POST };
