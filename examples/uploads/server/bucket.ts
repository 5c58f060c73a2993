import { AwsV4Signer } from 'aws4fetch';

/** How long a URL can be used, in seconds. */
const VALID_SECONDS = 300;

/** Where to send a file, and how. */
export interface SignedUpload {
  /** The name of the file in the bucket. */
  key: string;
  method: 'PUT';
  url: string;
  /** The headers that the browser sends. The browser itself adds the length. */
  headers: { 'content-type': string };
}

/**
 * Signs the upload of one file, so that it goes from the browser to the storage and not through this server.
 *
 * @param file – type and size become part of the signature: the storage refuses any other.
 */
export async function signUpload({ type, bytes }: { type: string; bytes: number }): Promise<SignedUpload> {
  const key = crypto.randomUUID();
  const target = new URL(`${variable('S3_ENDPOINT')}/${variable('S3_BUCKET')}/${key}`);
  target.searchParams.set('X-Amz-Expires', String(VALID_SECONDS));
  const headers = { 'content-type': type };
  const { url } = await new AwsV4Signer({
    method: 'PUT',
    url: target.href,
    headers: { ...headers, 'content-length': String(bytes) },
    accessKeyId: variable('S3_ACCESS_KEY_ID'),
    secretAccessKey: variable('S3_SECRET_ACCESS_KEY'),
    region: process.env['S3_REGION'] ?? 'auto',
    service: 's3',
    signQuery: true,
    // Otherwise type and length would not be part of the signature.
    allHeaders: true,
  }).sign();
  return { key, method: 'PUT', url: url.href, headers };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The variable ${name} is not set: see the README.`);
  return value;
}
