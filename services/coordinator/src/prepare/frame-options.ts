/** Options that a client sets in addition to the source: the checked query of `POST /v1/frames`. */
import type { EnergyOptions } from '@tessera/energy';
import type {
  Coupling,
  GridRequest,
  Placement,
  SpecSummary,
  Timing,
  VisibilityDelivery,
  VisibilityShader,
} from '@tessera/frame';
import type { InterconnectSpec, Organization, OverlapMode } from '@tessera/multi-chiplet/rendering';
import type { ModelOptionTexts } from '@tessera/scenes/model-options';

/** Rendering options of a frame. */
export interface FrameOptions {
  /** Width of a model's image; captures and native frames have their own size. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Name or alias of a policy. */
  readonly policy: string;
  /** Requested number of coarse bins. */
  readonly binCount: number;
  /** Grid of coarse bins that replaces `binCount`. */
  readonly grid?: GridRequest | undefined;
  /** Number of times the costliest bin is halved after the visibility phase; 0 by default. */
  readonly splits?: number | undefined;
  /** Whether the visibility phase culls primitives hidden behind earlier ones; false by default. */
  readonly cullsOccluded?: boolean | undefined;
  readonly visibilityShader: VisibilityShader;
  /** Number of chiplets that share each visibility phase; 1 by default. */
  readonly visibilityChiplets?: number | undefined;
  /** Delivery of visibility; `phase` by default. */
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  readonly timing: Timing;
  /** Coupling of the chiplets; `none` by default. */
  readonly coupling?: Coupling | undefined;
  /** Specification of the simulated chiplets. */
  readonly spec: SpecSummary;
  /** Specifications whose cycles a study measures in the same rendering; none by default. */
  readonly alternativeSpecs?: readonly SpecSummary[] | undefined;
  /**
   * Number of chiplets of the simulated GPU, including the visibility chiplet; null for the number
   * that is connected when rendering starts.
   */
  readonly chipletCount: number | null;
  /** Crosslink of the simulated GPU, if it differs from the default. */
  readonly interconnect?: InterconnectSpec | undefined;
  /** Placement of resources in the memories of the chiplets; `replicated` by default. */
  readonly placement?: Placement | undefined;
  /** Length in cycles of the intervals of the timeline; see TIMELINE_CYCLES. */
  readonly timelineCycles?: number | undefined;
  /** Technologies of the energy; DEFAULT_ENERGY_OPTIONS by default. */
  readonly energy?: EnergyOptions | undefined;
  /** Start of the next visibility phase on chiplet 0. */
  readonly overlap?: OverlapMode | undefined;
  /** Way in which chiplets share frames; `binned` by default. */
  readonly organization?: Organization | undefined;
  /** Index of the model's camera; null for the default one. */
  readonly cameraIndex: number | null;
  /** Time of the model's animation in seconds. */
  readonly timeSeconds: number;
  /** Quality, light and camera of a model, as given; defaults for what is missing. */
  readonly modelOptions?: ModelOptionTexts | undefined;
}
