/** The options of a local GPU and of the frames that it renders. */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { EnergyOptions } from '@tessera/energy';
import type {
  Coupling,
  GridRequest,
  Placement,
  Timing,
  VisibilityDelivery,
  VisibilityShader,
  VisibilitySwitches,
} from '@tessera/frame';
import type { InterconnectSpec, Organization, OverlapMode } from '@tessera/multi-chiplet';

/** The simulated hardware, and the number of chiplets that do the work in this process. */
export interface LocalGpuOptions {
  /**
   * Number of simulated chiplets, the visibility chiplet included: 1 to 1024, 4 by default. Images
   * do not depend on it.
   */
  readonly chipletCount?: number | undefined;
  /** Hardware of every chiplet; `DEFAULT_CHIPLET_SPEC` by default. */
  readonly spec?: ChipletSpec | undefined;
  /**
   * Number of render hosts, chiplets that render in wall time, all in this thread; 1 by default.
   * More hosts are slower and give the same images and reports.
   */
  readonly hostCount?: number | undefined;
}

/** Division of a frame among the chiplets of the GPU. */
export interface RenderOptions {
  /** Policy of bin assignment, or an alias; `dynamic` by default. */
  readonly policy?: string | undefined;
  /** Grid of coarse bins; 32 bins by default. */
  readonly grid?: GridRequest | undefined;
  /** Number of times the costliest bin is halved after the visibility phase; 0 by default. */
  readonly splits?: number | undefined;
  /** Vertex shader of the visibility phase; `minimal` by default. */
  readonly visibilityShader?: VisibilityShader | undefined;
  /** Parts of the visibility phase that are switched on or off. */
  readonly visibilitySwitches?: Partial<VisibilitySwitches> | undefined;
  /**
   * Number of chiplets that share each visibility phase, by ranges of the primitives: 1, the
   * default, to the number of chiplets. Above 1, `placement` must leave streams replicated.
   */
  readonly visibilityChiplets?: number | undefined;
  /**
   * Delivery of visibility: `phase`, the default, sends the streams of a pass when its visibility
   * phase ends; `stream` sends them in segments while the phase runs. With `stream`, bins are
   * not split, and `placement` must leave streams replicated.
   */
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  /** `functional` by default: images and counts, without cycles. */
  readonly timing?: Timing | undefined;
  /**
   * `exact` by default: chiplets run on from bin to bin; at most 256 of them. `none`: bins are
   * timed by themselves, which is a fast estimate.
   */
  readonly coupling?: Coupling | undefined;
  /** Whether chiplet 0 renders bins too; true by default. */
  readonly isVisibilityChipletRendering?: boolean | undefined;
  /**
   * Placement of resources in the memories of the chiplets; `replicated` by default. Others need
   * `timing: cycle` and `coupling: exact`. See `parsePlacement` of `@tessera/multi-chiplet`.
   */
  readonly placement?: Placement | undefined;
  /**
   * Length in cycles of the intervals of the timeline, TIMELINE_CYCLES of `@tessera/frame`. Needs
   * `timing: cycle` and `coupling: exact`. By default, intervals are as few as the report needs,
   * and the timeline has no counters.
   */
  readonly timelineCycles?: number | undefined;
  /** Topology and bandwidth of the crosslink. */
  readonly interconnect?: InterconnectSpec | undefined;
  /** Mode that determines when chiplet 0 starts the next visibility phase. */
  readonly overlap?: OverlapMode | undefined;
  /**
   * Way in which chiplets share frames; `binned` by default. The others are baselines, which need
   * replicated placement, one visibility chiplet, and a chiplet 0 that renders bins.
   */
  readonly organization?: Organization | undefined;
  /**
   * Technologies for the report's energy; DEFAULT_ENERGY_OPTIONS of `@tessera/energy` by default.
   * They change neither images nor cycles.
   */
  readonly energy?: EnergyOptions | undefined;
}
