/** Health check of the visibility chiplet's container. */
import { runHealthcheck } from '@tessera/wire/chiplet-health';
import { readConfig } from './config.ts';

await runHealthcheck('visibility-chiplet', 'visibility', readConfig(process.env));
