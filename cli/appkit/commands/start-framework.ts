import type { IncomingMessage } from 'node:http';
import { PRESETS } from 'appkit-build/presets';
import { CommandError } from '../command-error.ts';
import { loadCertificate } from '../dev/certificate.ts';
import type { CertificateFlags } from '../dev/certificate.ts';
import { startFrameworkServer } from '../dev/framework/framework-server.ts';
import { passOn, passUpgradeOn } from '../dev/framework/pass-on.ts';
import { isAllowedHost, refuseHost } from '../dev/host-check.ts';
import { createReporter } from '../dev/report.ts';
import { logRequest } from '../dev/request-log.ts';
import { createUpgradableServer } from '../dev/upgradable-server.ts';
import { onStdout } from '../report/style.ts';
import { listen } from '../serve/listen.ts';
import { toLocalUrl } from '../serve/local-url.ts';
import { stopSignal } from '../stop-signal.ts';

/** Which framework is started, and where it is reached. */
export interface FrameworkFlags extends CertificateFlags {
  /** The name of a framework, as for `appkit export`. */
  from: string;
  host: string;
  port?: number | undefined;
  quiet?: boolean | undefined;
  open?: boolean | undefined;
}

/** Runs the development server of a framework behind one of ours, until the process is asked to stop or the framework ends. */
export async function startFrameworkCommand(projectRoot: string, flags: FrameworkFlags): Promise<void> {
  const { from, host, open = false, quiet = false } = flags;
  const preset = PRESETS.find(({ name }) => name === from);
  if (!preset) {
    throw new CommandError(
      `${from} is not a framework whose development server appkit knows.`,
      `Name one of them: ${PRESETS.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (open) throw new CommandError('--open does not work with --from.', 'Open the URL that is printed.');
  const certificate = await loadCertificate(projectRoot, flags);
  const scheme = certificate ? 'https' : 'http';
  const stopped = stopSignal().then(() => 0);
  const server = createUpgradableServer(certificate, isWebSocket);
  // First, so that a busy port is reported before anything else runs.
  const { port } = await listen(server, { host, port: flags.port });
  const framework = await startFrameworkServer(projectRoot, preset.development);
  const destination = { port: framework.port, scheme, ready: framework.ready } as const;
  const reporter = createReporter(projectRoot);
  server.on('request', (request, response) => {
    if (!quiet) logRequest(request, response, reporter);
    // Not every framework checks it, and those that do know only the names of their own configuration.
    if (!isAllowedHost(request.headers.host, host)) return refuseHost(request, response);
    passOn(request, response, destination);
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isWebSocket(request)) return;
    if (!isAllowedHost(request.headers.host, host)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    passUpgradeOn(request, { socket, head }, destination);
  });
  try {
    const isReady = await Promise.race([framework.ready().then(() => true), stopped.then(() => false)]);
    if (!isReady) return;
    console.log(`In front of ${preset.development}, which listens on 127.0.0.1:${framework.port}.`);
    console.log(`Ready at ${onStdout('cyan', toLocalUrl(host, port, { scheme }))}`);
    process.exitCode = await Promise.race([stopped, framework.ended]);
  } finally {
    server.close();
    server.closeAllConnections();
    await framework.close();
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
