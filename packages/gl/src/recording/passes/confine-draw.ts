/** Confines draws and clears of a pass to the buffers and channels that its attachments have. */
import type { Draw, PassClear, PipelineState, TargetAspect } from '@tessera/frame';
import { colorIn, maskIn, targetStateIn } from './color-stores.ts';
import type { PassAttachments } from './pass-attachments.ts';

/** Disables tests of missing buffers and writes to channels that are not stored. */
export function confineDraw(draw: Draw, attachments: PassAttachments): Draw {
  const { depth, stencil, hasAlpha, stores, isFixedSigned } = attachments;
  const isPlain = hasAlpha && stores === undefined && isFixedSigned !== true;
  if (depth !== null && stencil !== null && isPlain) return draw;
  const { state } = draw;
  const lacks =
    Number(depth === null) +
    Number(stencil === null) * 2 +
    Number(!hasAlpha) * 4 +
    Number(isFixedSigned === true) * 8;
  let known = confinedStates.get(state);
  if (known?.lacks !== lacks || known.stores !== stores) {
    known = { lacks, stores, confined: confineState(state, attachments) };
    confinedStates.set(state, known);
  }
  return { ...draw, state: known.confined };
}

function confineState(
  state: PipelineState,
  { colors, depth, stencil, hasAlpha, stores, isFixedSigned = false }: PassAttachments,
): PipelineState {
  const isSplit = stores !== undefined || isFixedSigned || state.colorTargets !== undefined;
  const plain = hasAlpha ? 'rgba' : 'rgb';
  return {
    ...state,
    depth: depth === null ? { ...state.depth, isTestEnabled: false } : state.depth,
    stencil: stencil === null ? { ...state.stencil, isTestEnabled: false } : state.stencil,
    ...(isSplit
      ? {
          colorTargets: colors.map((_, i) =>
            targetStateIn(
              stores?.[i] ?? plain,
              state.colorTargets?.[i] ?? {},
              state.colorMask,
              isFixedSigned,
            ),
          ),
        }
      : { colorMask: maskIn(plain, state.colorMask) }),
  };
}

/** Confined states by pipeline state, cached because many draws share a state. */
const confinedStates = new WeakMap<
  PipelineState,
  { lacks: number; stores: PassAttachments['stores']; confined: PipelineState }
>();

/** Returns the clear values of colors that the attachments store when cleared to a color. */
export function clearedColors(
  color: PassClear['color'],
  { hasAlpha, stores }: PassAttachments,
): Pick<PassClear, 'color' | 'colors'> {
  if (stores === undefined) return { color: colorIn(hasAlpha ? 'rgba' : 'rgb', color) };
  const colors = stores.map((store) => colorIn(store, color));
  return { color: colors[0]!, colors };
}

/** Returns the clear values with an aspect of other ones. */
export function takeClear(clear: PassClear, aspect: TargetAspect, from: PassClear): PassClear {
  if (aspect !== 'color') return { ...clear, [aspect]: from[aspect] };
  const { color, colors } = from;
  return { ...withoutColors(clear), color, ...(colors === undefined ? {} : { colors }) };
}

/** Returns clear values with one color for all targets. */
export function withoutColors({ color, depth, stencil }: PassClear): PassClear {
  return { color, depth, stencil };
}
