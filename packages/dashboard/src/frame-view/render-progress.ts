/** A frame while it is rendered: how far it is, and who finished which bin. */
import { frameOfBin } from '../api/live-service.ts';
import type { FinishedBin, FrameStatus } from '../api/types.ts';
import { chipletColor, cssColor, textColorOn } from '../colors.ts';
import { element, replace } from '../dom.ts';

const PHASE_TEXTS: Readonly<Record<FrameStatus['progress']['phase'], string>> = {
  waiting: 'waits in the queue',
  visibility: 'visibility phase: primitives are sorted into coarse bins',
  bins: 'chiplets render coarse bins',
  encoding: 'the picture is put together',
  over: 'over',
};

export interface RenderProgress {
  readonly root: HTMLElement;
  readonly showStatus: (status: FrameStatus) => void;
  readonly addBin: (bin: FinishedBin) => void;
}

export function renderProgress(first: FrameStatus): RenderProgress {
  let status = first;
  const binsDone = new Map<string, FinishedBin>();
  const phase = element('p', { 'aria-live': 'polite' });
  const bar = element('progress', { 'aria-label': 'Bins that are done' });
  const count = element('p', { class: 'hint' });
  const cells = element('ol', {
    class: 'bin-cells',
    'aria-label': 'Bins that are done, by chiplet',
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
    replace(cells, ...sorted.map(binCell));
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

function binCell({ binId, passIndex, chiplet }: FinishedBin): HTMLElement {
  const label = `pass ${passIndex}, bin ${binId}: chiplet ${chiplet}`;
  const cell = element('li', { title: label }, chiplet);
  const color = chipletColor(chiplet);
  cell.style.backgroundColor = cssColor(color);
  cell.style.color = textColorOn(color);
  return cell;
}
