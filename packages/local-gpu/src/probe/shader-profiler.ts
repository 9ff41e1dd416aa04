/**
 * Costs of the programs of a frame: renders it once with records and counts its warps. For their
 * waits, all chiplets are simulated.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type DrawPlace,
  PROGRAM_STAGES,
  type PreparedFrame,
  type ProgramSource,
  type ProgramStage,
  type ProgramSummary,
  RenderError,
  type ShaderProfile,
  type StopWords,
} from '@tessera/frame';
import type { SimulatedChiplet } from '@tessera/gpu';
import { countStage, profileStage, WarpTallies, type WarpTally } from '@tessera/gpu/probe';
import {
  type RecordedPass,
  recordPasses,
  type SimulatedGpuOptions,
} from '@tessera/multi-chiplet/rendering';
import { countWarpCycles } from './warp-cycles.ts';

/** Program whose profile is requested. */
export interface ProfileRequest {
  /** Index of the program in the frame. */
  readonly program: number;
  /** Draw to count; by default all draws of the program. */
  readonly draw?: DrawPlace | undefined;
  /** Whether costs have the waits of warps; false by default. */
  readonly waits?: boolean | undefined;
}

/** Options of a profiler. */
export interface ShaderProfilerOptions {
  readonly chiplet: SimulatedChiplet;
  readonly recorded: RecordedPass;
  /** GPU whose chiplets are simulated for the waits of warps; `null` without waits. */
  readonly simulated: SimulatedGpuOptions | null;
  readonly stopWords: StopWords | undefined;
}

/** Profiler of one frame. */
export class ShaderProfiler {
  readonly #frame: PreparedFrame;
  readonly #sources: readonly ProgramSource[];
  readonly #spec: ChipletSpec;
  /** Tallies by pass. */
  readonly #passes: readonly WarpTallies[];
  /** Whether the costs have the waits of warps. */
  readonly hasWaits: boolean;

  /**
   * Renders the frame.
   *
   * @param sources Sources of the programs, in the order of the frame's.
   * @throws {RenderError} The errors of rendering.
   */
  constructor(
    frame: PreparedFrame,
    sources: readonly ProgramSource[],
    { chiplet, recorded, simulated, stopWords }: ShaderProfilerOptions,
  ) {
    this.#frame = frame;
    this.#sources = sources;
    this.#spec = chiplet.spec;
    this.hasWaits = simulated !== null;
    const passes = frame.commands.passes.map(() => new WarpTallies());
    try {
      if (simulated !== null) countWarpCycles(frame, chiplet, passes, simulated, stopWords);
      else {
        recordPasses(frame, chiplet, recorded, (pass) => {
          chiplet.warpTallies = passes[pass]!;
        });
      }
    } finally {
      chiplet.warpTallies = null;
    }
    this.#passes = passes;
  }

  /** Returns the programs that draws use, with their costs. */
  programs(): ProgramSummary[] {
    return this.#sources.flatMap((_, program) => {
      const draws = this.#drawsOf(program);
      return draws.length === 0
        ? []
        : [{ program, draws, stages: this.#summarize(program, draws) }];
    });
  }

  /**
   * Returns the code of a program with its costs.
   *
   * @throws {RenderError} NOT_FOUND if there is no such program, or no such draw that uses it.
   */
  profile({ program, draw }: ProfileRequest): ShaderProfile {
    const source = this.#sources[program];
    if (source === undefined) {
      const message = `program: there is no program ${program}; the frame has ${this.#sources.length} programs`;
      throw new RenderError('NOT_FOUND', message);
    }
    const all = this.#drawsOf(program);
    const draws = draw === undefined ? all : all.filter((each) => isSame(each, draw));
    if (draw !== undefined && draws.length === 0) {
      const message = `draw: no draw ${draw.draw} of pass ${draw.pass} uses program ${program}`;
      throw new RenderError('NOT_FOUND', message);
    }
    const { vertexSource, fragmentSource } = source;
    const stages = this.#stagesOf(draws).map(({ stage, tallies }) =>
      profileStage(this.#counted(program, stage, tallies)),
    );
    return { program, draw: draw ?? null, vertexSource, fragmentSource, stages };
  }

  #drawsOf(program: number): DrawPlace[] {
    return this.#frame.commands.passes.flatMap(({ draws }, pass) =>
      draws.flatMap(({ programIndex }, draw) => (programIndex === program ? [{ pass, draw }] : [])),
    );
  }

  #summarize(program: number, draws: readonly DrawPlace[]): ProgramSummary['stages'] {
    return this.#stagesOf(draws).map(({ stage, tallies }) => {
      const { total, counts } = countStage(this.#counted(program, stage, tallies));
      return { ...total, instructions: counts.length };
    });
  }

  #counted(program: number, stage: ProgramStage, tallies: readonly WarpTally[]) {
    const code = this.#frame.programs[program]![stage];
    return { stage, program: code, tallies, spec: this.#spec, hasWaits: this.hasWaits };
  }

  /** Returns the stages that some draw ran, with their tallies. */
  #stagesOf(
    draws: readonly DrawPlace[],
  ): { readonly stage: ProgramStage; readonly tallies: readonly WarpTally[] }[] {
    return PROGRAM_STAGES.flatMap((stage) => {
      const tallies = draws
        .map(({ pass, draw }) => this.#passes[pass]!.find(draw, stage))
        .filter((tally) => tally !== undefined);
      const hasRun = tallies.some((tally) => tally.hasRun);
      return hasRun ? [{ stage, tallies }] : [];
    });
  }
}

function isSame(a: DrawPlace, b: DrawPlace): boolean {
  return a.pass === b.pass && a.draw === b.draw;
}
