import type { Draw, PassClear, TargetAspect, TargetCopy } from '@tessera/frame';
import type { DrawnImage, PassAttachments } from './pass-attachments.ts';
import type { PassTime } from './pass-time.ts';
import type { QueryPart } from './query-part.ts';

/** Pass of the frame in progress. */
export interface RecordedPass {
  readonly attachments: PassAttachments;
  /** Images of the target, each with its texture index in the frame. */
  readonly images: readonly { readonly image: DrawnImage; readonly textureIndex: number }[];
  clear: PassClear;
  readonly loads: Set<TargetAspect>;
  readonly draws: Draw[];
  /** Copies at the end of the pass. A draw after a copy starts another pass. */
  readonly copies: TargetCopy[];
  readonly queries: QueryPart[];
  /** Passes of the timer query that times this one, and its time; `null` if none does. */
  readonly timer: PassTime[] | null;
  readonly time: PassTime | null;
  /** Whether the pass belongs to a skipped frame. */
  readonly isEarlier: boolean;
}

/** Whether a draw of the pass may write an aspect. */
export function isAspectWritten({ draws }: RecordedPass, aspect: TargetAspect): boolean {
  return draws.some(({ state: { colorMask, colorTargets = [], depth, stencil } }) => {
    if (aspect === 'color') {
      const masks = colorTargets.map((target) => target?.colorMask ?? colorMask);
      return [colorMask, ...masks].some((mask) => mask.includes(true));
    }
    if (aspect === 'stencil') return stencil.isTestEnabled;
    return depth.isTestEnabled && depth.isWriteEnabled;
  });
}
