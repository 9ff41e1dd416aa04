/** Health check of the coordinator's container: exit status 0 when it answers. */
import { readConfig } from './config.ts';

const ANSWER_WITHIN_MS = 3000;

const { TESSERA_PORT: port } = readConfig(process.env);
try {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/livez`, { signal });
  if (!ok) process.stderr.write(`coordinator: /livez answers ${status}\n`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`coordinator: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
