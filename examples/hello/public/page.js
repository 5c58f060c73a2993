/** An element of the page. */
export const element = (id) => document.getElementById(id);

/** Sends a request to a route and returns its JSON, or throws the route's error. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.status === 204) return undefined;
  const answer = await response.json();
  if (!response.ok) throw new Error(Object.values(answer.fields ?? {}).join(' ') || answer.error);
  return answer;
}

/** Runs an action and shows its error, if any. */
export async function attempt(messageId, action) {
  element(messageId).textContent = '';
  try {
    await action();
  } catch (error) {
    element(messageId).textContent = error.message;
  }
}
