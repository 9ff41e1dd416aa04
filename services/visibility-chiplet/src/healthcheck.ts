/** Health check of the visibility chiplet's container: exit status 0 when the coordinator counts on it. */
import { isChipletReady, readChipletAccess } from '@tessera/wire/chiplet-health';
import { readConfig } from './config.ts';

const config = readConfig(process.env);
try {
  const secret = readChipletAccess(config);
  const isReady = await isChipletReady(config.TESSERA_COORDINATOR_URL, 'visibility', secret);
  if (!isReady) process.stderr.write('visibility-chiplet: not ready\n');
  process.exitCode = isReady ? 0 : 1;
} catch (error) {
  process.stderr.write(`visibility-chiplet: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
