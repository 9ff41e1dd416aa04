/** What the output merger's code is specialised by: fixed-function state and the outputs of the program. */
import {
  type BlendState,
  type CompareFunction,
  FRAGMENT_DEPTH_SLOT,
  type IsaProgram,
  type MultisampleState,
  type PipelineState,
  type StencilFaceState,
} from '@tessera/frame';
import { layOutTargets, PLAIN_FORMATS, type TargetLayout } from '../target/target-layout.ts';

/** Stencil state of both faces; `isTwoSided` if they differ. */
export interface MergeStencil {
  readonly front: StencilFaceState;
  readonly back: StencilFaceState;
  readonly isTwoSided: boolean;
}

/** Fragment outputs of a colour. */
export type ColorOutputs = readonly [number | null, number | null, number | null, number | null];

/** State of one output merger kernel. Equal keys give equal code. */
export interface MergeKey {
  /** The depth test here, `null` if there is none or it was done before shading. */
  readonly depthCompare: CompareFunction | null;
  /** Whether fragments that pass write their depth here. */
  readonly isDepthWritten: boolean;
  readonly stencil: MergeStencil | null;
  readonly blend: BlendState | null;
  /** As in the pipeline state; in place of blending. */
  readonly logicOperation: number | null;
  readonly colorMask: readonly [boolean, boolean, boolean, boolean];
  readonly targets: TargetLayout;
  /** Of targets with several samples; `null` where coverage is that of the primitive. */
  readonly multisample: MultisampleState | null;
  /** By target: which fragment output is red, green, blue, alpha; `null` where the program writes none. */
  readonly colorOutputs: readonly ColorOutputs[];
  /** Which fragment output is the depth; `null` if it comes from the rasteriser. */
  readonly depthOutput: number | null;
}

/**
 * The key of a draw.
 *
 * @param isDepthDoneEarly Whether test and write of depth were done before shading. Stencil must be off then.
 * @param targets Missing: one of RGBA8.
 */
export function makeMergeKey(
  state: PipelineState,
  outputSlots: IsaProgram['outputSlots'],
  isDepthDoneEarly: boolean,
  targets: TargetLayout = layOutTargets(PLAIN_FORMATS),
): MergeKey {
  const { depth, stencil, blend } = state;
  const logicOperation = state.logicOperation ?? null;
  if (isDepthDoneEarly && stencil.isTestEnabled) {
    throw new Error('output merger: depth cannot be tested before shading when stencil is tested');
  }
  const isDepthTested = depth.isTestEnabled && !isDepthDoneEarly;
  const outputAt = (slot: number): number | null => {
    const index = outputSlots.indexOf(slot);
    return index < 0 ? null : index;
  };
  return {
    depthCompare: isDepthTested && depth.compare !== 'always' ? depth.compare : null,
    isDepthWritten: isDepthTested && depth.isWriteEnabled,
    stencil: stencil.isTestEnabled ? makeMergeStencil(stencil.front, stencil.back) : null,
    blend: blend.isEnabled && logicOperation === null ? blend : null,
    logicOperation,
    colorMask: state.colorMask,
    targets,
    multisample: targets.sampleCount > 1 ? (state.multisample ?? null) : null,
    colorOutputs: targets.targets.map((_, t) => [
      outputAt(4 * t),
      outputAt(4 * t + 1),
      outputAt(4 * t + 2),
      outputAt(4 * t + 3),
    ]),
    depthOutput: outputAt(FRAGMENT_DEPTH_SLOT),
  };
}

/** A string that is equal for equal keys. */
export function mergeKeyString(key: MergeKey): string {
  return JSON.stringify([
    key.depthCompare,
    key.isDepthWritten,
    key.stencil && [faceValues(key.stencil.front), faceValues(key.stencil.back)],
    key.blend && [
      channelValues(key.blend.color),
      channelValues(key.blend.alpha),
      key.blend.constant,
    ],
    key.logicOperation,
    key.colorMask,
    key.targets.targets.map((target) => target?.format),
    key.targets.sampleCount,
    key.multisample && [key.multisample.isAlphaToCoverage, key.multisample.sampleMask],
    key.colorOutputs,
    key.depthOutput,
  ]);
}

function makeMergeStencil(front: StencilFaceState, back: StencilFaceState): MergeStencil {
  const isTwoSided = JSON.stringify(faceValues(front)) !== JSON.stringify(faceValues(back));
  return { front, back, isTwoSided };
}

function faceValues(face: StencilFaceState): readonly (string | number)[] {
  const { compare, reference, readMask, writeMask, onStencilFail, onDepthFail, onPass } = face;
  return [compare, reference, readMask, writeMask, onStencilFail, onDepthFail, onPass];
}

function channelValues({ equation, source, destination }: BlendState['color']): readonly string[] {
  return [equation, source, destination];
}
