const EXPIRES = 'Wed, 21 Oct 2032 07:28:00 GMT';

export function GET(): Response {
  const response = new Response('cookies');
  response.headers.append('set-cookie', 'a=1; Path=/');
  response.headers.append('set-cookie', `b=2; Expires=${EXPIRES}; Secure`);
  response.headers.append('set-cookie', 'c=3; HttpOnly');
  return response;
}
