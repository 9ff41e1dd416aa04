/**
 * State that the code of the output merger is specialized for: fixed-function state and the outputs
 * of the program.
 */
import {
  type BlendState,
  type CompareFunction,
  FRAGMENT_DEPTH_SLOT,
  type IsaProgram,
  type MultisampleState,
  type PipelineState,
  type RedSpread,
  SAMPLE_MASK_SLOT,
  SECOND_COLOR_SLOT,
  type StencilFaceState,
} from '@tessera/frame';
import { depthBoundsOf } from '../../geometry/vertices/viewport-transform.ts';
import { layOutTargets, PLAIN_FORMATS, type TargetLayout } from '../target/target-layout.ts';

/** Stencil state of both faces; `isTwoSided` if they differ. */
export interface MergeStencil {
  readonly front: StencilFaceState;
  readonly back: StencilFaceState;
  readonly isTwoSided: boolean;
}

/** Fragment outputs of a color's channels. */
export type ColorOutputs = readonly [number | null, number | null, number | null, number | null];

/** State of the merge into one color target. */
export interface ColorMerge {
  readonly blend: BlendState | null;
  readonly colorMask: PipelineState['colorMask'];
  /** Whether fragment colors are clamped to 0…1 before blending. */
  readonly isSourceClamped: boolean;
  /** Channels that store the red result; `null` if each stores its own. */
  readonly redSpread: RedSpread | null;
  /**
   * Fragment outputs of red, green, blue and alpha; `null` for channels that the program does not
   * write.
   */
  readonly outputs: ColorOutputs;
  /** Fragment outputs of the second color; `null` if no blend factor uses it. */
  readonly secondOutputs: ColorOutputs | null;
}

/** State of one output-merger kernel. Equal keys give equal code. */
export interface MergeKey {
  /** Depth test at this stage; `null` if there is none or it precedes shading. */
  readonly depthCompare: CompareFunction | null;
  /** Whether fragments that pass write their depth at this stage. */
  readonly isDepthWritten: boolean;
  readonly stencil: MergeStencil | null;
  /** Logical operation, which replaces blending; see the pipeline state. */
  readonly logicOperation: number | null;
  readonly targets: TargetLayout;
  /**
   * Multisample state of targets with several samples; `null` if coverage is that of the primitive.
   */
  readonly multisample: MultisampleState | null;
  /** State by color target. */
  readonly colors: readonly ColorMerge[];
  /** Fragment output of the depth; `null` if it comes from the rasterizer. */
  readonly depthOutput: number | null;
  /** Window depths that this output is clamped to. */
  readonly depthBounds: readonly [least: number, most: number];
  /** Fragment output of the samples that may be written; `null` if the shader limits none. */
  readonly sampleMaskOutput: number | null;
}

/**
 * Returns the key of a draw.
 *
 * @param isDepthDoneEarly Whether the depth test and write precede shading. Stencil must be off
 *   then.
 * @param targets Target layouts; by default one RGBA8 target.
 */
export function makeMergeKey(
  state: PipelineState,
  outputSlots: IsaProgram['outputSlots'],
  isDepthDoneEarly: boolean,
  targets: TargetLayout = layOutTargets(PLAIN_FORMATS),
): MergeKey {
  const { depth, stencil } = state;
  const logicOperation = state.logicOperation ?? null;
  if (isDepthDoneEarly && stencil.isTestEnabled) {
    throw new Error('output merger: depth must not be tested before shading if stencil is tested');
  }
  const isDepthTested = depth.isTestEnabled && !isDepthDoneEarly;
  const outputAt = (slot: number): number | null => {
    const index = outputSlots.indexOf(slot);
    return index < 0 ? null : index;
  };
  const outputsFrom = (slot: number): ColorOutputs => [
    outputAt(slot),
    outputAt(slot + 1),
    outputAt(slot + 2),
    outputAt(slot + 3),
  ];
  return {
    depthCompare: isDepthTested && depth.compare !== 'always' ? depth.compare : null,
    isDepthWritten: isDepthTested && depth.isWriteEnabled,
    stencil: stencil.isTestEnabled ? makeMergeStencil(stencil.front, stencil.back) : null,
    logicOperation,
    targets,
    multisample: targets.sampleCount > 1 ? (state.multisample ?? null) : null,
    colors: targets.targets.map((_, t) => {
      const {
        blend = state.blend,
        colorMask = state.colorMask,
        isSourceClamped = false,
        redSpread = null,
      } = state.colorTargets?.[t] ?? {};
      const isBlended = blend.isEnabled && logicOperation === null;
      return {
        blend: isBlended ? blend : null,
        colorMask,
        isSourceClamped,
        redSpread,
        outputs: outputsFrom(4 * t),
        secondOutputs: isBlended && usesSecondColor(blend) ? outputsFrom(SECOND_COLOR_SLOT) : null,
      };
    }),
    depthOutput: outputAt(FRAGMENT_DEPTH_SLOT),
    depthBounds: depthBoundsOf(state),
    sampleMaskOutput: targets.sampleCount > 1 ? outputAt(SAMPLE_MASK_SLOT) : null,
  };
}

/** Returns a string that is equal for equal keys. */
export function mergeKeyString(key: MergeKey): string {
  return JSON.stringify([
    key.depthCompare,
    key.isDepthWritten,
    key.stencil && [faceValues(key.stencil.front), faceValues(key.stencil.back)],
    key.logicOperation,
    key.targets.targets.map((target) => target?.format),
    key.targets.sampleCount,
    key.multisample && [key.multisample.isAlphaToCoverage, key.multisample.sampleMask],
    key.colors.map(colorValues),
    key.depthOutput,
    key.depthOutput === null ? null : key.depthBounds,
    key.sampleMaskOutput,
  ]);
}

/** Returns whether a factor of blending is of the second color. */
function usesSecondColor({ color, alpha }: BlendState): boolean {
  const factors = [color.source, color.destination, alpha.source, alpha.destination];
  return factors.some((factor) => factor.includes('src1'));
}

function makeMergeStencil(front: StencilFaceState, back: StencilFaceState): MergeStencil {
  const isTwoSided = JSON.stringify(faceValues(front)) !== JSON.stringify(faceValues(back));
  return { front, back, isTwoSided };
}

function faceValues(face: StencilFaceState): readonly (string | number)[] {
  const { compare, reference, readMask, writeMask, onStencilFail, onDepthFail, onPass } = face;
  return [compare, reference, readMask, writeMask, onStencilFail, onDepthFail, onPass];
}

function colorValues(merge: ColorMerge): readonly unknown[] {
  const { blend, colorMask, isSourceClamped, redSpread, outputs, secondOutputs } = merge;
  const blending = blend && [
    channelValues(blend.color),
    channelValues(blend.alpha),
    blend.constant,
  ];
  return [blending, colorMask, isSourceClamped, redSpread, outputs, secondOutputs];
}

function channelValues({ equation, source, destination }: BlendState['color']): readonly string[] {
  return [equation, source, destination];
}
