/** Health check of a worker's container. */
import { runHealthcheck } from '@tessera/wire/chiplet-health';
import { readConfig } from './config.ts';

await runHealthcheck('chiplet-worker', 'worker', readConfig(process.env));
