import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { CommandError } from '../command-error.ts';

/** The package that creates a certificate. It is an optional peer. */
const MAKER = '@vitejs/plugin-basic-ssl';

/** The HTTPS options of `appkit start`. */
export interface CertificateFlags {
  https?: boolean;
  /** A PEM file, relative to the working directory. */
  cert?: string;
  /** A PEM file, relative to the working directory. */
  key?: string;
}

/** A certificate and its key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/**
 * Returns the certificate that the flags name, or a self-signed one for `localhost`, kept in `.appkit/https`.
 *
 * @returns undefined when the flags ask for no HTTPS.
 * @throws CommandError when a file cannot be read, or the package that creates a certificate is not installed.
 */
export async function loadCertificate(
  projectRoot: string,
  { https, cert, key }: CertificateFlags,
): Promise<Certificate | undefined> {
  if (cert !== undefined && key !== undefined) return readCertificate(cert, key);
  if (cert !== undefined || key !== undefined) {
    throw new CommandError(
      '--cert and --key belong together: one of them is missing.',
      'Give both, or --https alone for a certificate that start makes.',
    );
  }
  return https ? makeCertificate(projectRoot) : undefined;
}

async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const certificate = { cert: await readPem(certFile, '--cert'), key: await readPem(keyFile, '--key') };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new CommandError(
      `${certFile} and ${keyFile} are no certificate and its key: ${(error as Error).message}.`,
      'Give PEM files that belong together after --cert and --key.',
      { cause: error },
    );
  }
  return certificate;
}

async function readPem(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file}: cannot read this file.`, `Correct the path after ${option}.`, { cause: error });
  }
}

async function makeCertificate(projectRoot: string): Promise<Certificate> {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  let file: string;
  try {
    file = resolve(MAKER);
  } catch (error) {
    throw new CommandError(
      `--https needs a certificate, and ${MAKER}, which makes one, is not installed.`,
      `Install it in the folder of the app: npm install --save-dev ${MAKER}@2\n  Or name a certificate of your own by --cert and --key.`,
      { cause: error },
    );
  }
  const { getCertificate } = (await import(pathToFileURL(file).href)) as {
    getCertificate(folder: string, name: string): Promise<string>;
  };
  const folder = path.join(projectRoot, '.appkit/https');
  // Only this user may read the key.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pem = await getCertificate(folder, 'appkit start');
  return { cert: pem, key: pem };
}
