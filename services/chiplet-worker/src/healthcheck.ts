/** Health check of a chiplet worker's container: exit status 0 when the coordinator counts on it. */
import { isChipletReady } from '@tessera/wire/chiplet-health';
import { readConfig } from './config.ts';

const { TESSERA_COORDINATOR_URL: url } = readConfig(process.env);
try {
  const isReady = await isChipletReady(url, 'worker');
  if (!isReady) process.stderr.write('chiplet-worker: not ready\n');
  process.exitCode = isReady ? 0 : 1;
} catch (error) {
  process.stderr.write(`chiplet-worker: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
