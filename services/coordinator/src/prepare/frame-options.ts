/** What a client asks for beside the model itself: the query of `POST /v1/frames`, checked. */
import type { GridRequest, Timing, VisibilityShader } from '@tessera/frame';
import type { InterconnectSpec, OverlapMode } from '@tessera/multi-chiplet/rendering';

export interface FrameOptions {
  /** Of a model; captures and native frames have a size of their own. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** A policy's name or alias. */
  readonly policy: string;
  /** Coarse bins wanted. */
  readonly binCount: number;
  /** Another wish instead. */
  readonly grid?: GridRequest | undefined;
  /** How often the costliest bin is halved after the visibility phase; 0 by default. */
  readonly splits?: number | undefined;
  /** Whether the visibility phase leaves out what lies behind earlier primitives; not by default. */
  readonly cullsOccluded?: boolean | undefined;
  readonly visibilityShader: VisibilityShader;
  readonly timing: Timing;
  /** Preset of the simulated chiplet; `null`: the one that the chiplets were started with. */
  readonly spec: string | null;
  /** Chiplets of the simulated GPU, the visibility chiplet among them; `null`: those that are connected when it begins. */
  readonly chipletCount: number | null;
  /** The crosslink of the simulated GPU; the usual one by default. */
  readonly interconnect?: InterconnectSpec | undefined;
  /** When chiplet 0 turns to the next visibility phase. */
  readonly overlap?: OverlapMode | undefined;
  /** Which of the model's cameras; `null` for the default one. */
  readonly cameraIndex: number | null;
  /** Point in time of the model's animation. */
  readonly timeSeconds: number;
}
