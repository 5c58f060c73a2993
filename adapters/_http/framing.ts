/** Whether a header says how a message is framed or its connection used, as no route may: RFC 9110 section 7.6.1. */
export function isFraming(name: string): boolean {
  return ['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'].includes(name);
}
