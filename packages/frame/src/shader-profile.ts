/**
 * Costs of the programs of a frame by instruction and source line. They are counted in warps, so
 * the sums over all programs and stages of a frame equal counters of its report with cycle timing:
 * `issued` equals `shaderCore.warpInstructions`, `issueCycles` equals `shaderCore.cyclesBusy`, and
 * `lookups` equals `textureUnit.requests`. The cycles for which warps wait come from a simulation
 * of the frame. Their sums equal the counters `shaderCore.warpCycles…`.
 */
import { LOOKUP_WAIT_NAMES, type WarpWait } from './warp-wait-counters.ts';

/** Forms of a program: its two stages, and the slice of the vertex shader for positions. */
export const PROGRAM_STAGES = ['vertex', 'positionOnly', 'fragment'] as const;
/** Name of a form of a program. */
export type ProgramStage = (typeof PROGRAM_STAGES)[number];

/** Kinds of waits of warps that have a line: that of the instruction that has to wait. */
export const LINE_WAITS = ['operands', ...LOOKUP_WAIT_NAMES] as const;
/** Cycles for which warps wait at some code, by kind. */
export type LineWaits = Readonly<Record<(typeof LINE_WAITS)[number], number>>;

/** Number of executions of some code. */
export interface IssueCounts {
  /** Number of instructions that warps issued. */
  readonly issued: number;
  /** Cycles for which these instructions occupied the issue ports of shader cores. */
  readonly issueCycles: number;
  /**
   * Number of lanes that these instructions had, summed over them. Helper lanes count, except after
   * branches in programs that discard. Lanes that a short branch masks off count.
   */
  readonly lanes: number;
  /** Number of texture lookups that warps made. */
  readonly lookups: number;
  /** Missing unless the waits were asked for. */
  readonly waits?: LineWaits | undefined;
}

/** Number of executions of a stage. */
export interface StageCounts extends IssueCounts {
  readonly stage: ProgramStage;
  /**
   * Cycles of its warps in slots of shader cores, by kind. Missing unless the waits were asked for.
   */
  readonly warpCycles?: Readonly<Record<WarpWait, number>> | undefined;
}

/** Draw of a frame. */
export interface DrawPlace {
  readonly pass: number;
  /** Index of the draw in its pass. */
  readonly draw: number;
}

/** Program of a frame with its costs. */
export interface ProgramSummary {
  /** Index of the program in the frame. */
  readonly program: number;
  /** Draws that use it, in order. */
  readonly draws: readonly DrawPlace[];
  /** Its stages that some warp ran. */
  readonly stages: readonly (StageCounts & {
    /** Number of instructions of the code. */
    readonly instructions: number;
  })[];
}

/** Instruction of a stage. */
export interface ProfiledInstruction extends IssueCounts {
  /** Text of the disassembler. */
  readonly text: string;
  /** Line of the source from 1; `null` for an instruction that no line asks for. */
  readonly line: number | null;
}

/** Code of a stage with its costs. */
export interface StageProfile extends StageCounts {
  readonly instructions: readonly ProfiledInstruction[];
  /** Sums over the instructions of each line that has some; `null` for those without a line. */
  readonly lines: readonly (IssueCounts & { readonly line: number | null })[];
}

/** Profile of a program. */
export interface ShaderProfile {
  readonly program: number;
  /** Draw that is counted; `null` for all draws of the program. */
  readonly draw: DrawPlace | null;
  readonly vertexSource: string;
  readonly fragmentSource: string;
  /** Stages that some warp ran. */
  readonly stages: readonly StageProfile[];
}
