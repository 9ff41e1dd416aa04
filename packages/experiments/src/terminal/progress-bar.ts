/** A progress bar on the standard error, shown only on a terminal. */
import { escapeControls } from '@tessera/frame';

const BAR_LENGTH = 24;
/** Minimum time between two drawings of the bar, in milliseconds. */
const DRAW_EVERY_MS = 50;
const ERASE_LINE = '\r\u001b[2K';

/** Stream on which a bar is drawn. */
export interface BarOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Draws the progress of one task. */
export class ProgressBar {
  readonly #output: BarOutput;
  readonly #readClockMs: () => number;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(output: BarOutput = process.stderr, readClockMs = () => performance.now()) {
    this.#output = output;
    this.#readClockMs = readClockMs;
  }

  /** Shows the progress. @param total Number of steps; 0 if it is unknown. */
  update(done: number, total: number, label: string): void {
    if (this.#output.isTTY !== true) return;
    const nowMs = this.#readClockMs();
    if (nowMs - this.#drawnMs < DRAW_EVERY_MS && done < total) return;
    this.#drawnMs = nowMs;
    this.#isShown = true;
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const full = Math.round(share * BAR_LENGTH);
    const bar = '█'.repeat(full) + '░'.repeat(BAR_LENGTH - full);
    this.#output.write(
      `${ERASE_LINE}${bar} ${done}/${total === 0 ? '?' : total} ${escapeControls(label)}`,
    );
  }

  /** Removes the bar, so that further output starts on an empty line. */
  end(): void {
    if (this.#isShown) this.#output.write(ERASE_LINE);
    this.#isShown = false;
  }
}

/** Yields the items in order, with a bar that names the current one. */
export function* withProgress<T>(
  items: readonly T[],
  labelOf: (item: T) => string,
  bar = new ProgressBar(),
): Generator<T> {
  try {
    for (const [index, item] of items.entries()) {
      bar.update(index, items.length, labelOf(item));
      yield item;
    }
  } finally {
    bar.end();
  }
}
