/** A mail. */
export interface Mail {
  from: string;
  text: string;
}

/**
 * Sends a mail to the owner of the app: with a POST to `MAIL_URL`, where a mail service accepts JSON. Without that
 * variable, it is printed.
 *
 * @param id – the same in each attempt, so that the service can ignore a repeated mail.
 * @throws if the mail service does not accept it.
 */
export async function sendMail(mail: Mail, { id, signal }: { id: string; signal: AbortSignal }): Promise<void> {
  const { MAIL_URL: url } = process.env;
  if (!url) return console.log(`Mail from ${mail.from}: ${mail.text}`);
  const headers = { 'content-type': 'application/json', 'idempotency-key': id };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(mail), signal });
  if (!response.ok) throw new Error(`The mail service answered ${response.status}.`);
}
