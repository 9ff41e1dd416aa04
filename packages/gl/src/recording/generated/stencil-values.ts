/**
 * Copies stencil values into a color texture, which draws can sample. A copy of the depth and
 * stencil image becomes the target of eight draws. Draw k adds 2^k to the texels whose stencil
 * value has bit k.
 */
import {
  type Draw,
  defaultPipelineState,
  type PipelineState,
  type StencilFaceState,
  type TargetCopy,
} from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { RenderbufferObject } from '../../objects/framebuffers/renderbuffer-object.ts';
import { oneTexel } from '../../objects/textures/texture-content.ts';
import { initialStencilFace } from '../../state/stencil-face.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';
import type { PassAttachments } from '../passes/pass-attachments.ts';
import type { PassList } from '../passes/pass-list.ts';
import { makeImageDraw } from './image-draw.ts';

/** Image of one texel that selects every pixel of a draw. */
const ALL_PIXELS = oneTexel('r8unorm', 255);

/** Frame in progress. */
interface StencilRecord {
  readonly passes: PassList;
  readonly assembler: FrameAssembler;
}

/**
 * Records the copy of a rectangle.
 *
 * @param attachments Attachments with depth and stencil.
 * @returns Index of a texture of format r8unorm, whose texels are the stencil values.
 */
export function copyStencilValues(
  attachments: PassAttachments,
  rect: Pick<TargetCopy, 'sourceX' | 'sourceY' | 'widthPx' | 'heightPx'>,
  { passes, assembler }: StencilRecord,
): number {
  const { widthPx, heightPx } = rect;
  const imageOf = (internalFormat: number) => {
    const object = new RenderbufferObject(0);
    object.setStorage(internalFormat, widthPx, heightPx);
    return { object, level: 0, slice: 0 };
  };
  const held = { ...imageOf(GL.DEPTH24_STENCIL8), format: 'depth24unorm-stencil8' } as const;
  const values = { ...imageOf(GL.R8), format: 'r8unorm' } as const;
  const copy = { source: 'depth-stencil', ...rect, intoX: 0, intoY: 0 } as const;
  passes.copy(attachments, copy, held, true);
  const target = { colors: [values], hasAlpha: true, depth: held, stencil: held };
  for (let stencilBit = 0; stencilBit < 8; stencilBit++) {
    passes.append(addWeight(1 << stencilBit, widthPx, heightPx, assembler), target);
  }
  const textureIndex = passes.contents.indexOf(values.object)!;
  passes.contents.drop([held.object, values.object]);
  return textureIndex;
}

function addWeight(
  weight: number,
  widthPx: number,
  heightPx: number,
  assembler: FrameAssembler,
): Draw {
  const image = {
    kind: 'bits',
    content: ALL_PIXELS,
    color: new Array<number>(4).fill(weight / 255),
    edges: [0, 0, widthPx, heightPx],
    depth: 0,
    alphaTest: null,
  } as const;
  return makeImageDraw(image, addWhere(weight, widthPx, heightPx), widthPx, heightPx, assembler);
}

/** Returns the state of a draw that adds its color where the stencil value has a bit. */
function addWhere(weight: number, widthPx: number, heightPx: number): PipelineState {
  const state = defaultPipelineState(widthPx, heightPx);
  const face: StencilFaceState = {
    ...initialStencilFace(),
    compare: 'equal',
    reference: weight,
    readMask: weight,
  };
  const sum = { equation: 'add', source: 'one', destination: 'one' } as const;
  return {
    ...state,
    blend: { ...state.blend, isEnabled: true, color: sum, alpha: sum },
    depth: { isTestEnabled: false, isWriteEnabled: false, compare: 'always' },
    stencil: { isTestEnabled: true, front: face, back: face },
  };
}
