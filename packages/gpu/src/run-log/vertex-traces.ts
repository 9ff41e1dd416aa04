/**
 * Traces of vertex warps. Which vertices share a warp is known only after they missed the
 * post-transform cache, so the logs of vertices are kept until then.
 */
import type { LogSites } from '@tessera/shader/codegen';
import type { GroupLog } from './group-log.ts';
import type { TextureLines } from './texture-lines.ts';
import type { TraceFormer } from './warp-trace.ts';
import { WordRing } from './word-ring.ts';

/** Number of vertices with known logs, more than two segments have. */
const KNOWN_VERTICES = 8192;

/** Properties of a vertex stage that its traces depend on. */
export interface LoggedStage {
  readonly sites: LogSites;
  readonly textureLines: TextureLines;
}

/** Forms the traces of vertex warps. */
export class VertexTraces {
  readonly ring = new WordRing('texture lookups of vertices', 1024);
  private readonly logOf: GroupLog[] = [];
  /** Position of each vertex among the vertices of its log, four to a group. */
  private readonly placeOf = new Int32Array(KNOWN_VERTICES);
  /** Groups in the warp, with their lanes. */
  private readonly logs: GroupLog[] = [];
  private readonly groups: number[] = [];
  private readonly lanes: number[] = [];

  reset(): void {
    this.ring.reset();
    this.logOf.length = 0;
  }

  /** Registers vertices `first` to `first + count − 1` of the run as those of `log`, in order. */
  addLog(log: GroupLog, first: number, count: number): void {
    for (let place = 0; place < count; place++) {
      const slot = (first + place) & (KNOWN_VERTICES - 1);
      this.logOf[slot] = log;
      this.placeOf[slot] = place;
    }
  }

  /**
   * Writes the trace of a warp of vertices.
   *
   * @param former Forms it, and counts its lookups.
   * @returns Index of its first word in the ring.
   */
  close(former: TraceFormer, stage: LoggedStage, vertices: Int32Array, count: number): number {
    const { logs, groups, lanes } = this;
    logs.length = 0;
    groups.length = 0;
    lanes.length = 0;
    for (let i = 0; i < count; i++) {
      const slot = vertices[i]! & (KNOWN_VERTICES - 1);
      const log = this.logOf[slot]!;
      const group = this.placeOf[slot]! >> 2;
      let known = logs.length - 1;
      while (known >= 0 && (logs[known] !== log || groups[known] !== group)) known--;
      if (known < 0) {
        known = logs.length;
        logs.push(log);
        groups.push(group);
        lanes.push(0);
      }
      lanes[known]! |= 1 << (this.placeOf[slot]! & 3);
    }
    former.begin();
    for (let i = 0; i < logs.length; i++) former.add(logs[i]!, groups[i]!, lanes[i]!);
    return former.form(stage.sites, stage.textureLines, this.ring);
  }
}
