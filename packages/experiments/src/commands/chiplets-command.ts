/** `tessera chiplets`: lists the chiplets of a running service. */
import { RenderError } from '@tessera/frame';
import { askService, connectToService, SERVICE_OPTIONS } from '../inputs/service-options.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

/** Runs the command. @throws {RenderError} On bad options, or if the service does not answer. */
export async function runChipletsCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean', default: false },
    ...SERVICE_OPTIONS,
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `chiplets takes no argument: ${positionals[0]}`);
  }
  const client = await connectToService(values);
  const { value } = await askService(values.url, () => client.call('listChiplets'));
  if (values.json) {
    printJson(value.chiplets);
    return;
  }
  const rows = value.chiplets.map(({ id, role, isReady, mode, binsDone, cyclesDone, instance }) => [
    String(id),
    role,
    isReady ? mode : 'not ready',
    String(binsDone),
    String(cyclesDone),
    instance,
  ]);
  const head = ['chiplet', 'role', 'state', 'bins', 'cycles', 'instance'];
  printText(formatColumns([head, ...rows]));
}
