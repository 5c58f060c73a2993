import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createRuntimeApi } from './runtime-api.mjs';

/** How many events are processed at a time; Lambda's own limit is per account. Further events wait. */
const CONCURRENCY = 100;

/**
 * Runs a function as Lambda does, with AWS's own runtime interface client, which asks the Runtime API for events.
 *
 * One client processes one event at a time. Lambda would start another environment for a second; here a second client
 * starts in the same process, since the suite inspects the server's memory, and checks that requests in it stay apart.
 *
 * @param folder – the function's folder; it becomes the working directory.
 * @param options – `variables` of the function, `signals` that its process shares with others, and `onExit`, called when the process has ended by
 * itself. Default: the emulator ends too.
 */
export async function startRuntime(
  folder,
  { Handler, Timeout, MemorySize },
  { variables = {}, signals, onExit = endToo } = {},
) {
  let started = 1;
  const api = createRuntimeApi(Timeout, () => {
    if (started === CONCURRENCY) return;
    started += 1;
    child.send('start another');
  });
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');

  const child = fork(path.join(process.env.APPKIT_TOOLS, 'node_modules/aws-lambda-ric/index.mjs'), [], {
    cwd: folder,
    execArgv: ['--import', new URL('runtime-preload.mjs', import.meta.url).href],
    env: {
      ...process.env,
      ...variables,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${api.server.address().port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'Server',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/Server',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: Handler,
    },
  });
  signals?.share(child);
  child.once('exit', (code) => {
    api.server.closeAllConnections();
    api.server.close();
    onExit(code);
  });

  return {
    invoke: api.invoke,
    kill: () => child.kill('SIGKILL'),
    /** Ends the process as soon as it is not processing an event, but after five seconds in any case. */
    async stop() {
      child.removeAllListeners('exit').kill('SIGTERM');
      for (const end = Date.now() + 5000; api.idle() < started && Date.now() < end;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      child.kill('SIGKILL');
    },
  };
}

function endToo(code) {
  console.error(`The runtime ended with ${code}.`);
  process.exit(1);
}
