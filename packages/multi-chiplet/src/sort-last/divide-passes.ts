/** Division of the passes of a frame at the borders of their composition groups. */
import type { PassLink, PreparedFrame, PreparedPass } from '@tessera/frame';
import { SCREEN_LINK } from '../passes/pass-attachments.ts';
import { groupDraws } from './composition-groups.ts';

/** Place of a pass among those that one pass was divided into. */
export interface PassGroup {
  /** Number of chiplets among which draws are divided. */
  readonly chipletCount: number;
  /** Whether its draws are divided among the chiplets. */
  readonly isDistributed: boolean;
  /** Whether it continues the pass before it, in the same targets. */
  readonly isContinuing: boolean;
  /** Whether the next pass continues it. */
  readonly isContinued: boolean;
}

/** Frame whose passes are composition groups, and the group of each pass. */
export interface DividedFrame {
  readonly frame: PreparedFrame;
  readonly groups: readonly PassGroup[];
}

/** Divides a frame. A group but the first loads what the one before it drew. */
export function dividePasses(frame: PreparedFrame, chipletCount: number): DividedFrame {
  const { passLinks, commands } = frame;
  const passes: PreparedPass[] = [];
  const links: PassLink[] = [];
  const groups: PassGroup[] = [];
  for (const [passIndex, pass] of commands.passes.entries()) {
    const link = passLinks?.[passIndex] ?? SCREEN_LINK;
    const parts = groupDraws(pass, link);
    for (const [part, { firstDraw, endDraw, isDistributed }] of parts.entries()) {
      const isContinuing = part > 0;
      const isContinued = part < parts.length - 1;
      const { isResolved, ...others } = pass;
      passes.push({
        ...others,
        ...(isResolved === undefined || isContinued ? {} : { isResolved }),
        draws: pass.draws.slice(firstDraw, endDraw),
      });
      links.push({
        target: link.target,
        loads: isContinuing ? ['color', 'depth', 'stencil'] : link.loads,
        copies: isContinued ? [] : link.copies,
      });
      groups.push({ chipletCount, isDistributed, isContinuing, isContinued });
    }
  }
  return { frame: { ...frame, commands: { ...commands, passes }, passLinks: links }, groups };
}
