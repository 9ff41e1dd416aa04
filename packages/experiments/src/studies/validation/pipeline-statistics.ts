/**
 * Pipeline statistics of captured programs beside those of their calls and of Mesa: primitives that
 * are drawn, and fragments that pass the depth test.
 */
import { join } from 'node:path';
import { LocalGpu } from '@tessera/local-gpu';
import { ProgramCache } from '@tessera/multi-chiplet';
import { readCaptureFile } from '../../inputs/read-capture.ts';
import { readInput } from '../../inputs/read-frame.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { MESA_SAMPLES, type MesaSamples } from './mesa-samples.ts';

/** Permitted relative difference between our number of fragments and that of llvmpipe. */
const FRAGMENTS_WITHIN = 0.001;

/** Statistics of one capture. */
export interface PipelineStatistics {
  /** Folder of the capture. */
  readonly capture: string;
  readonly primitives: number;
  /** Primitives according to the inventory of the capture's calls. */
  readonly expectedPrimitives: number;
  readonly fragments: number;
  /** Samples according to Mesa. Its llvmpipe snaps vertices to 1/256 pixel, as this chip does. */
  readonly mesa: MesaSamples;
}

/** Entry of the list of captures in a folder. */
interface IndexEntry {
  readonly dir: string;
  readonly primitives: number;
}

/**
 * Renders all captures with figures of Mesa, without occlusion culling.
 *
 * @param folder Folder of captures, with `index.json`.
 * @throws {RenderError} If a capture cannot be read.
 */
export async function measurePipelineStatistics(folder: string): Promise<PipelineStatistics[]> {
  const bytes = await readInput(join(folder, 'index.json'));
  const index = JSON.parse(new TextDecoder().decode(bytes)) as readonly IndexEntry[];
  const programs = new ProgramCache();
  const gpu = new LocalGpu({ chipletCount: 1 });
  const all: PipelineStatistics[] = [];
  for (const [capture, mesa] of Object.entries(MESA_SAMPLES)) {
    const { frame } = await readCaptureFile(join(folder, capture, 'trace.trace'), 0, programs);
    const { report } = await gpu.render(frame, {
      visibilitySwitches: { cullsPrimitives: true, cullsOccluded: false, rendersEarlyBin: false },
    });
    all.push({
      capture,
      primitives: report.visibility.primitivesIn,
      expectedPrimitives: index.find(({ dir }) => dir === capture)?.primitives ?? Number.NaN,
      fragments: report.chiplets[0]?.counters['output.fragmentsWritten'] ?? 0,
      mesa,
    });
  }
  return all;
}

/** Whether the primitives are equal and the fragments are within the tolerance. */
export function agrees({
  primitives,
  expectedPrimitives,
  fragments,
  mesa,
}: PipelineStatistics): boolean {
  const deviation = Math.abs(fragments / mesa.llvmpipe - 1);
  return primitives === expectedPrimitives && deviation <= FRAGMENTS_WITHIN;
}

/** Returns the statistics as a table of docs/validation.md. */
export function showStatistics(all: readonly PipelineStatistics[]): string {
  const head = [
    'capture',
    'primitives',
    'of its calls',
    'fragments',
    'llvmpipe',
    'softpipe',
    'from llvmpipe',
    'inside',
  ];
  const rows = all.map((statistics) => {
    const { capture, primitives, expectedPrimitives, fragments, mesa } = statistics;
    const { llvmpipe, softpipe } = mesa;
    const numbers = [primitives, expectedPrimitives, fragments, llvmpipe, softpipe].map(String);
    const percent = `${(100 * (fragments / llvmpipe - 1)).toFixed(3)} %`.replace('-', '−');
    return [capture, ...numbers, percent, agrees(statistics) ? 'yes' : '**no**'];
  });
  return formatMarkdownTable({ head, rows }, (column) => column >= 1 && column <= 6);
}
