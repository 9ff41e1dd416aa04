/** The queue and the state of every chiplet. */
import type { ChipletStatus } from '../api/types.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element, replace } from '../ui/dom.ts';
import { formatCompact, formatNumber, shortId } from '../ui/format.ts';
import { CHIPLET_MEANINGS } from '../ui/meanings.ts';
import {
  documentLinks,
  emptyState,
  type PageContext,
  scrollingTable,
  tableHead,
} from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';
import { describeChipletState } from './chiplet-state.ts';

/** Creates a table that follows the state of the chiplets. */
export function chipletTable({ live, signal }: PageContext): HTMLElement {
  const queue = element('p', { class: 'queue' });
  const body = element('tbody', {});
  const heads = ['chiplet', 'mode', 'current work', 'bins', 'cycles'];
  const table = element(
    'table',
    { class: 'chiplets' },
    tableHead(heads, (name) => name === 'bins' || name === 'cycles', CHIPLET_MEANINGS),
    body,
  );
  const hint = element('div', {});
  let isDrawing = false;
  const draw = () => {
    isDrawing = false;
    const { waiting, running } = live.queue;
    queue.textContent = `${running} rendering, ${waiting} waiting`;
    const rows = live.chiplets().map(chipletRow);
    replace(body, ...rows);
    const hasWorkers = live.chiplets().some(({ role }) => role === 'worker');
    // Before the first events it is not known.
    replace(hint, live.connection === 'open' && !hasWorkers && noWorkers(rows.length));
  };
  live.on(
    'load',
    () => {
      // Events come in bursts, so draw at most once per animation frame.
      if (!isDrawing) requestAnimationFrame(draw);
      isDrawing = true;
    },
    signal,
  );
  draw();
  return element('div', {}, queue, scrollingTable('Chiplets', table), hint);
}

/** Returns how to add workers. */
function noWorkers(chipletCount: number): HTMLElement {
  const state =
    chipletCount === 0
      ? 'No chiplet is connected, so frames wait.'
      : 'No worker is connected, so chiplet 0 renders alone.';
  return emptyState(
    `${state} Add a worker from a clone of the repository:`,
    `TESSERA_CHIPLET_SECRET_FILE=out/data/chiplet-secret TESSERA_COORDINATOR_URL=${location.origin.replace('http', 'ws')}/chiplets npx node services/chiplet-worker/src/main.ts`,
    documentLinks(['Scale the workers', 'how-to/scale-workers.md']),
  );
}

function chipletRow(chiplet: ChipletStatus): HTMLElement {
  const { id, role, mode, isReady, binsDone, cyclesDone, pendingRequests, faults } = chiplet;
  const trust = `${chiplet.isTrusted ? 'trusted' : 'not trusted yet'}, ${chiplet.agreedBins} bins agreed`;
  const title = `${pendingRequests} pending requests, ${faults} faults, ${trust}`;
  const isWorking = isReady && chiplet.setAsideUntilMs === null;
  return element(
    'tr',
    { title },
    element('th', { scope: 'row' }, chipletMark(id), ` ${role}`),
    element(
      'td',
      {},
      element(
        'span',
        { class: `mode ${isWorking ? mode : 'absent'}` },
        describeChipletState(chiplet),
      ),
    ),
    element('td', { class: 'works-at' }, ...describeWork(chiplet)),
    element('td', { class: 'number' }, formatNumber(binsDone)),
    element('td', { class: 'number', title: formatNumber(cyclesDone) }, formatCompact(cyclesDone)),
  );
}

function describeWork({ current }: ChipletStatus): (Node | string)[] {
  if (current === null) return ['–'];
  const id = current.frameId.split('/', 1)[0]!;
  const what = current.binId === null ? 'visibility' : `bin ${current.binId}`;
  return [`${what} of `, element('a', { href: frameHref(id) }, shortId(id))];
}
