/** Nobody asks for this openly: only a request inside of another one names it. */
function answer(): Response {
  return new Response('SMUGGLED', { headers: { 'x-smuggled': 'yes' } });
}

export { answer as GET, answer as POST };
