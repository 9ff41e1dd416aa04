/** Adds the warps of a recorder's runs to the tallies of their draws, if there are tallies. */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { RecordedRun } from '@tessera/frame';
import type { BoundDraw, VertexStage } from '../command/bound-draw.ts';
import type { TimedDraw } from '../command/timed-draw.ts';
import type { BinLog } from '../run-log/bin-log.ts';
import { VertexWarps } from '../run-log/vertex-warps.ts';
import type { DrawTallies, WarpTallies } from '../run-log/warp-tallies.ts';
import { type WarpTally, WHOLE_PROGRAM } from '../run-log/warp-tally.ts';

/** Counting of one recorder. */
export class WarpCounting {
  /** Tallies of the pass in progress; `null` for none. The recorder must keep all its records. */
  tallies: WarpTallies | null = null;
  readonly #vertexWarps: VertexWarps;
  /** Tallies by number of the draw in the run. */
  readonly #draws: DrawTallies[] = [];

  constructor(spec: ChipletSpec) {
    this.#vertexWarps = new VertexWarps(spec);
  }

  /** Starts a run. */
  begin(): void {
    this.#draws.length = 0;
  }

  /** Adds the next draw of the run. */
  beginDraw({ drawIndex, vertexStage }: BoundDraw, stage: VertexStage, timed: TimedDraw): void {
    if (this.tallies === null) return;
    const vertexName = stage === vertexStage ? 'vertex' : 'positionOnly';
    this.#draws.push({
      vertex: this.tallies.of(drawIndex, vertexName, timed.vertexSites),
      fragment: this.tallies.of(drawIndex, 'fragment', timed.fragmentSites),
    });
  }

  /** Returns the tally of a draw's fragment warps; `null` for none. */
  fragmentTally(draw: number): WarpTally | null {
    return this.#draws[draw]?.fragment ?? null;
  }

  /** Adds fragment warps of `quadCount` quads in total whose program logs nothing. */
  addPlainWarps(draw: number, warps: number, quadCount: number): void {
    this.fragmentTally(draw)?.add(WHOLE_PROGRAM, warps, 4 * quadCount);
  }

  /** Adds the vertex warps of a finished run. */
  finish(log: BinLog): void {
    if (this.tallies === null) return;
    this.#vertexWarps.add(log, (draw) => this.#draws[draw]!.vertex);
  }

  /** Adds the records of the finished run. */
  keep(run: RecordedRun): void {
    this.tallies?.addRun(run, [...this.#draws]);
  }
}
