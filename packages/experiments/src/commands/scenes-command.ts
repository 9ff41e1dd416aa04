/** `tessera scenes`: lists the benchmark set. */
import { BENCHMARK_SET, BENCHMARK_SET_VERSION } from '@tessera/scenes';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

/** Runs the command. @throws {RenderError} On bad options. */
export async function runScenesCommand(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(args, { json: { type: 'boolean', default: false } });
  const scenes = Object.entries(BENCHMARK_SET).map(([name, { make: _, ...stated }]) => ({
    name,
    ...stated,
  }));
  if (values.json) {
    printJson({ version: BENCHMARK_SET_VERSION, scenes });
    return;
  }
  const head = ['scene', 'passes', 'draws', 'triangles', 'exercises'];
  const rows = scenes.map(({ name, passes, draws, triangles, exercises }) => [
    ...[`scene:${name}`, String(passes), String(draws), String(triangles)],
    exercises,
  ]);
  printText(`${formatColumns([head, ...rows])}version ${BENCHMARK_SET_VERSION}\n`);
}
