/** Counts the features of a frame, which determine its stratum. */
import { type Frame, type PreparedFrame, type ProgramSource, sha256Hex } from '@tessera/frame';
import type { SimulatedChiplet } from '@tessera/gpu';
import { BIN_COST_TERMS, countVisibility } from '@tessera/multi-chiplet';
import { type FrameFeatures, featuresOf } from '@tessera/sampling';

/** Digits of the hash that names a program. */
const PROGRAM_DIGITS = 16;

/** Counts the features of frames. Hashes of programs are kept from frame to frame. */
export class FeatureCounter {
  readonly #nameBySources = new Map<string, string>();

  /**
   * Returns the features of a frame. Its visibility phases run on the chiplet, its bins do not.
   *
   * @throws {RenderError} As `countVisibility`.
   */
  count(frame: Frame, prepared: PreparedFrame, chiplet: SimulatedChiplet): FrameFeatures {
    const { counters, costTerms, estimatedCycles } = countVisibility(prepared, chiplet);
    const sumOf = (term: (typeof BIN_COST_TERMS)[number]) =>
      costTerms[BIN_COST_TERMS.indexOf(term)]!;
    const programs = frame.programs.map((program) => this.#nameOf(program));
    const draws = frame.passes.flatMap((pass) => pass.draws);
    return featuresOf(
      prepared.commands.sha256,
      {
        counters,
        vertexInstructions: sumOf('cyclesPerVertexInstruction'),
        fragments: sumOf('cyclesPerFragment'),
        fragmentInstructions: sumOf('cyclesPerFragmentInstruction'),
        estimatedCycles,
      },
      draws.map(({ programIndex, count, instanceCount }) => {
        return { program: programs[programIndex]!, vertices: count * instanceCount };
      }),
    );
  }

  #nameOf({ vertexSource, fragmentSource }: ProgramSource): string {
    const sources = `${vertexSource}\0${fragmentSource}`;
    const known = this.#nameBySources.get(sources);
    if (known !== undefined) return known;
    const name = sha256Hex(new TextEncoder().encode(sources)).slice(0, PROGRAM_DIGITS);
    this.#nameBySources.set(sources, name);
    return name;
  }
}
