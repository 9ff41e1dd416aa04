/** Rows of the table of draws of a run: costs, sizes and places in memory. */
import { ARRAY, DRAW, DRAW_WORDS, LINE_BYTES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { IsaProgram } from '@tessera/frame';
import type { BoundDraw, VertexStage } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { TimedDraw } from '../command/timed-draw.ts';
import { makeProgramBlocks, programBytes } from '../memory-manager/address-map.ts';
import { StoredPrograms } from '../memory-manager/stored-programs.ts';
import { recordLinesOf } from '../run-log/batch-lines.ts';
import type { BinLog } from '../run-log/bin-log.ts';

/** Draws of one run. */
export class DrawRecords {
  readonly #spec: ChipletSpec;
  readonly #log: BinLog;
  readonly #vertexPrograms: StoredPrograms<IsaProgram>;
  readonly #fragmentPrograms: StoredPrograms<IsaProgram>;

  /** @param log Log of the run, which has no draws. */
  constructor(spec: ChipletSpec, log: BinLog) {
    this.#spec = spec;
    this.#log = log;
    this.#vertexPrograms = new StoredPrograms(makeProgramBlocks(spec, 'vertex'));
    this.#fragmentPrograms = new StoredPrograms(makeProgramBlocks(spec, 'fragment'));
  }

  /**
   * Adds a draw and returns its number.
   *
   * @param stage Vertex stage that runs.
   * @param hasFragments Whether the fragment program is stored.
   */
  add(
    frame: ResidentFrame,
    bound: BoundDraw,
    stage: VertexStage,
    timed: TimedDraw,
    hasFragments: boolean,
  ): number {
    const log = this.#log;
    const number = log.addDraw();
    const at = number * DRAW_WORDS;
    const { draws } = log;
    const { vertexSites, vertexProgram, fragmentProgram } = timed;
    log.vertexSites.push(vertexSites.sites.length > 0 ? vertexSites : null);
    draws[at + DRAW.vertexInstructions] = vertexSites.cost.instructions;
    draws[at + DRAW.vertexIssueCycles] = vertexSites.cost.issueCycles;
    draws[at + DRAW.vertexStallCycles] = vertexSites.cost.stallCycles;
    draws[at + DRAW.vertexRegisters] = vertexProgram.registerCount;
    draws[at + DRAW.fragmentRegisters] = fragmentProgram.registerCount;
    draws[at + DRAW.hasVertexTraces] = vertexSites.sites.length > 0 ? 1 : 0;
    // The interpolator prepares all samples of a quad, covered or not.
    const places = bound.isSampleShaded ? bound.setup.sampleCount : 1;
    draws[at + DRAW.components] = places * timed.components;
    draws[at + DRAW.recordLines] = recordLinesOf(timed.components);
    draws[at + DRAW.isEarlyDepth] = timed.depthStage === 'early' ? 1 : 0;
    draws[at + DRAW.readsTarget] = timed.readsTarget ? 1 : 0;
    draws[at + DRAW.isLateDepth] = timed.depthStage === 'late' ? 1 : 0;
    draws[at + DRAW.writesDepth] = timed.writesDepth ? 1 : 0;
    draws[at + DRAW.writesColor] = timed.writesColor ? 1 : 0;
    const list = frame.addresses.user.displayList(bound.draw);
    draws[at + DRAW.listLine] = list.baseBytes / LINE_BYTES;
    draws[at + DRAW.listLines] = Math.ceil(list.sizeBytes / LINE_BYTES);
    const linesOf = (program: IsaProgram) =>
      Math.ceil(programBytes(program, this.#spec.programBlockBytes) / LINE_BYTES);
    const vertexLines = linesOf(vertexProgram);
    const fragmentLines = hasFragments ? linesOf(fragmentProgram) : 0;
    this.#vertexPrograms.store(vertexProgram, vertexLines, draws, at + DRAW.vertexProgram);
    this.#fragmentPrograms.store(fragmentProgram, fragmentLines, draws, at + DRAW.fragmentProgram);
    const { sha256 } = bound.program;
    const vertex = stage === bound.vertexStage ? sha256 : `${sha256} of the visibility phase`;
    const last = { vertex, fragment: sha256 };
    log.programs = { first: log.programs?.first ?? last, last };
    this.#addArrays(frame, timed, at);
    return number;
  }

  #addArrays({ frame, addresses }: ResidentFrame, { arrays }: TimedDraw, at: number): void {
    const log = this.#log;
    log.draws[at + DRAW.firstArray] = log.arrayCount;
    log.draws[at + DRAW.arrayCount] = arrays.length;
    for (const { bufferIndex, offsetBytes, strideBytes, bytes, divisor } of arrays) {
      const array = log.addArray();
      const base = addresses.user.bufferBase(bufferIndex);
      log.arrays[array + ARRAY.base] = base + offsetBytes;
      log.arrays[array + ARRAY.stride] = strideBytes;
      log.arrays[array + ARRAY.bytes] = bytes;
      log.arrays[array + ARRAY.divisor] = divisor;
      log.arrays[array + ARRAY.end] = base + frame.buffers[bufferIndex]!.bytes.length;
    }
  }
}
