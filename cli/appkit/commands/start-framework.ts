import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { PRESETS } from 'appkit-build/presets';
import { CommandError } from '../command-error.ts';
import { loadCertificate } from '../dev/certificate.ts';
import type { CertificateFlags } from '../dev/certificate.ts';
import { startFrameworkServer } from '../dev/framework/framework-server.ts';
import { passOn, passUpgradeOn } from '../dev/framework/pass-on.ts';
import { createReporter } from '../dev/report.ts';
import { logRequest } from '../dev/request-log.ts';
import { onStdout } from '../report/style.ts';
import { listen } from '../serve/listen.ts';
import { toLocalUrl } from '../serve/local-url.ts';
import { stopSignal } from '../stop-signal.ts';

/** What is started, and where it is reached. */
export interface FrameworkFlags extends CertificateFlags {
  /** The name of a framework, as for `appkit export`. */
  from: string;
  host: string;
  port?: number | undefined;
  quiet?: boolean | undefined;
}

/** Runs the development server of a framework behind one of ours, until the process is asked to stop or the framework ends. */
export async function startFrameworkCommand(projectRoot: string, flags: FrameworkFlags): Promise<void> {
  const { from, host, quiet = false } = flags;
  const preset = PRESETS.find(({ name }) => name === from);
  if (!preset) {
    throw new CommandError(
      `${from} is no framework with a development server that is known.`,
      `Name one of them: ${PRESETS.map(({ name }) => name).join(', ')}.`,
    );
  }
  const certificate = await loadCertificate(projectRoot, flags);
  const scheme = certificate ? 'https' : 'http';
  const stopped = stopSignal();
  const framework = await startFrameworkServer(projectRoot, preset.development);
  const reporter = createReporter(projectRoot);
  const server = certificate ? createSecureServer(certificate) : createServer();
  server.on('request', (request, response) => {
    if (!quiet) logRequest(request, response, reporter);
    passOn(request, response, { port: framework.port, scheme });
  });
  server.on('upgrade', (request, socket, head) => passUpgradeOn(request, socket, head, framework.port));
  const { port } = await listen(server, { host, port: flags.port });
  console.log(`In front of ${preset.development}, which listens on 127.0.0.1:${framework.port}.`);
  console.log(`Ready at ${onStdout('cyan', toLocalUrl(host, port, { scheme }))}`);

  const code = await Promise.race([stopped.then(() => 0), framework.ended]);
  server.close();
  server.closeAllConnections();
  await framework.close();
  process.exitCode = code;
}
