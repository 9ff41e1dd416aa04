/** Coordinator process: a service on one machine, or the gateway or a cell of a cluster. */
import { readOrExit } from '@tessera/wire/environment';
import { pino } from 'pino';
import { readAccess } from './config/access.ts';
import { readConfig } from './config/config.ts';
import { applyCollectorSettings } from './process/collector-settings.ts';
import { boundGarbage } from './process/garbage-bound.ts';

applyCollectorSettings();
const onStopped = boundGarbage();
const { config, access } = readOrExit('coordinator', () => {
  const read = readConfig(process.env);
  return { config: read, access: readAccess(read) };
});
const log = pino({ name: 'coordinator', level: config.TESSERA_LOG_LEVEL });
// Each role loads its own modules.
if (config.TESSERA_ROLE === 'gateway') {
  const { runGateway } = await import('./gateway/run-gateway.ts');
  await runGateway({ config, access, log, onStopped });
} else {
  const { runCoordinator } = await import('./run-coordinator.ts');
  await runCoordinator({ config, access, log, onStopped });
}
