/** Progress of a running frame: its phase and the chiplet of each finished bin. */

import { chipletColor, cssColor, textColorOn } from '@tessera/plot/colors';
import { frameOfBin } from '../api/live-service.ts';
import type { FinishedBin, FrameStatus } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';

const PHASE_TEXTS: Readonly<Record<FrameStatus['progress']['phase'], string>> = {
  waiting: 'waiting in the queue',
  visibility: 'visibility phase: sorting primitives into coarse bins',
  bins: 'rendering coarse bins',
  simulation: 'simulating the chiplets',
  encoding: 'encoding the image',
  over: 'over',
};

/** Progress of a frame on the page. */
export interface RenderProgress {
  readonly root: HTMLElement;
  readonly showStatus: (status: FrameStatus) => void;
  readonly addBin: (bin: FinishedBin) => void;
}

/** Creates the progress of a frame. */
export function renderProgress(first: FrameStatus): RenderProgress {
  let status = first;
  const binsDone = new Map<string, FinishedBin>();
  const phase = element('p', { 'aria-live': 'polite' });
  const bar = element('progress', { 'aria-label': 'Finished bins' });
  const count = element('p', { class: 'hint' });
  const cells = element('ol', {
    class: 'bin-cells',
    'aria-label': 'Finished bins by chiplet',
  });
  const root = element('div', { class: 'render-progress' }, phase, bar, count, cells);

  function draw(): void {
    const { phase: name, binCount } = status.progress;
    const done = Math.max(status.progress.binsDone, binsDone.size);
    const text = PHASE_TEXTS[name];
    if (phase.textContent !== text) phase.textContent = text;
    if (binCount > 0) {
      bar.max = Math.max(binCount, done);
      bar.value = done;
      count.textContent = `${done} of ${bar.max} bins`;
    }
    const sorted = [...binsDone.values()].sort(
      (a, b) => a.passIndex - b.passIndex || a.binId - b.binId,
    );
    const pending = Math.max(0, binCount - sorted.length);
    // Bins of a frame with a single pass are numbered consecutively, so each has a fixed place.
    const isOnePass = sorted.every(({ passIndex, binId }) => passIndex === 0 && binId < binCount);
    if (isOnePass) {
      const byId = new Map(sorted.map((bin) => [bin.binId, bin]));
      const places = Array.from({ length: binCount }, (_, id) => byId.get(id));
      replace(cells, ...places.map((bin) => (bin === undefined ? pendingCell() : binCell(bin))));
    } else {
      replace(cells, ...sorted.map(binCell), ...Array.from({ length: pending }, pendingCell));
    }
  }

  draw();
  return {
    root,
    showStatus: (next) => {
      status = next;
      draw();
    },
    addBin: (bin) => {
      if (frameOfBin(bin) !== status.id) return;
      binsDone.set(`${bin.passIndex}/${bin.binId}`, bin);
      draw();
    },
  };
}

function pendingCell(): HTMLElement {
  return element('li', { class: 'pending', title: 'not finished' }, '·');
}

function binCell({ binId, passIndex, chiplet }: FinishedBin): HTMLElement {
  const label = `pass ${passIndex}, bin ${binId}: chiplet ${chiplet}`;
  const cell = element('li', { title: label }, chiplet);
  const color = chipletColor(chiplet);
  cell.style.backgroundColor = cssColor(color);
  cell.style.color = textColorOn(color);
  return cell;
}
