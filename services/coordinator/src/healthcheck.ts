/** Health check of the coordinator's container: exit status 0 if it responds. */
import { once } from 'node:events';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { readEnvironment } from '@tessera/wire/environment';
import { ACCESS_VARIABLES } from './config/access-variables.ts';
import { SERVICE_VARIABLES } from './config/service-variables.ts';

const ANSWER_WITHIN_MS = 3000;
/** The variables that a check needs. All of them would load modules for half of its time. */
const VARIABLES = { ...SERVICE_VARIABLES, ...ACCESS_VARIABLES };

const { TESSERA_PORT: port, TESSERA_TLS_CERT: cert } = readEnvironment(VARIABLES, process.env);
try {
  const options = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  const path = `127.0.0.1:${port}/livez`;
  const request =
    cert === ''
      ? getPlain(`http://${path}`, options)
      : // The name in the certificate does not matter, because the check connects to its own
        // container.
        getOverTls(`https://${path}`, { ...options, rejectUnauthorized: false });
  const [{ statusCode }] = (await once(request, 'response')) as [IncomingMessage];
  request.destroy();
  if (statusCode !== 200)
    process.stderr.write(`coordinator: /livez answered with status ${statusCode}\n`);
  process.exitCode = statusCode === 200 ? 0 : 1;
} catch (error) {
  process.stderr.write(`coordinator: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
