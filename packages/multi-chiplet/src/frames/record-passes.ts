/** Renders all passes of a frame with records, for an observer of the chiplet. */
import type { PreparedFrame } from '@tessera/frame';
import { PassFrames } from '../passes/pass-frames.ts';
import type { RecordedPass } from './pass-visit.ts';
import { type ImmediateChiplet, renderPassNow } from './render-frame-now.ts';

/**
 * Renders the passes in order as in a frame with cycle timing and records, on one chiplet in this
 * thread. The records of bins are dropped.
 *
 * @param beginPass Called before each pass with its index.
 * @throws {RenderError} As `renderFrameNow`.
 */
export function recordPasses<Resident>(
  frame: PreparedFrame,
  chiplet: ImmediateChiplet<Resident>,
  recorded: RecordedPass,
  beginPass: (pass: number) => void,
): void {
  const passFrames = new PassFrames(frame);
  const options = { ...recorded, chiplet: new RecordDropper(chiplet) };
  for (let pass = 0; pass < passFrames.count; pass++) {
    beginPass(pass);
    const { frame: ofPass } = passFrames.make(pass);
    const commands = { ...ofPass.commands, timing: 'cycle', coupling: 'exact' } as const;
    const { targets, parts } = renderPassNow({ ...ofPass, commands }, options);
    passFrames.finish(pass, targets, parts);
  }
}

/** Chiplet whose bins come without their records, which would take much memory. */
class RecordDropper<Resident> implements ImmediateChiplet<Resident> {
  readonly #chiplet: ImmediateChiplet<Resident>;

  constructor(chiplet: ImmediateChiplet<Resident>) {
    this.#chiplet = chiplet;
  }

  admitFrame(frame: PreparedFrame): Resident {
    return this.#chiplet.admitFrame(frame);
  }

  computeVisibility(frame: Resident, passIndex: number) {
    return this.#chiplet.computeVisibility(frame, passIndex);
  }

  renderBin(...bin: Parameters<ImmediateChiplet<Resident>['renderBin']>) {
    const { records: _, ...rendered } = this.#chiplet.renderBin(...bin);
    return rendered;
  }

  recycle(bin: Parameters<ImmediateChiplet<Resident>['recycle']>[0]): void {
    this.#chiplet.recycle(bin);
  }
}
