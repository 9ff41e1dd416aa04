/** Health check of the visibility chiplet's container: exit status 0 when the coordinator counts on it. */
import { isChipletReady } from '@tessera/wire/chiplet-health';
import { readConfig } from './config.ts';

const { TESSERA_COORDINATOR_URL: url } = readConfig(process.env);
try {
  const isReady = await isChipletReady(url, 'visibility');
  if (!isReady) process.stderr.write('visibility-chiplet: not ready\n');
  process.exitCode = isReady ? 0 : 1;
} catch (error) {
  process.stderr.write(`visibility-chiplet: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
