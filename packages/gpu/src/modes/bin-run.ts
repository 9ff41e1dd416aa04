/** Run of a recorder: its target, and what it loads and reads. */
import type { RectPx, TargetContents } from '@tessera/frame';
import type { TargetLayout } from '../output/target/target-layout.ts';

/** Target of a run. */
export interface BinRun {
  readonly rect: RectPx;
  /** Stored depth of the target's samples. Default: 0. */
  readonly clearDepth?: number;
  /**
   * Contents loaded into the target and stored afterwards. With `null`, the default, the target is
   * cleared and color is stored.
   */
  readonly contents?: TargetContents | null;
  /** Size and primitive count of the visibility stream that the run reads. Default: none. */
  readonly stream?: { readonly bytes: number; readonly primitives: number } | undefined;
  /** Color targets of the pass. Default: none. */
  readonly targets?: TargetLayout;
  /** Whether the bin is rendered within a visibility phase. Default: false. */
  readonly isEarly?: boolean;
}
