/** The list of frames: pictures, search, pages, cancel and forget; kept up to date by events. */
import { frameOfBin } from '../api/live-service.ts';
import { getJson, sendDelete } from '../api/requests.ts';
import { FRAME_STATUSES, type FrameList, type FrameStatus } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { formatMoment, shortId } from '../ui/format.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';

const PAGE_FRAMES = 20;
const SEARCH_AFTER_MS = 250;

export interface FrameListView {
  readonly root: HTMLElement;
}

export function frameList({ live, signal, announce }: PageContext): FrameListView {
  /** Addresses of the pages up to the one that is shown. */
  let pages: string[] = [];
  let shown: FrameList = { frames: [], next: null };
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  const binsByFrame = new Map<string, Set<string>>();

  const search = element('input', { type: 'search', placeholder: 'part of what was posted' });
  const status = element(
    'select',
    {},
    element('option', { value: '' }, 'any'),
    ...FRAME_STATUSES.map((name) => element('option', { value: name }, name)),
  );
  const list = element('ul', { class: 'frames' });
  const previous = element('button', { type: 'button', onclick: () => turn(-1) }, 'Newer');
  const next = element('button', { type: 'button', onclick: () => turn(1) }, 'Older');
  const place = element('p', { class: 'hint' });
  const turning = element('div', { class: 'toolbar', hidden: true }, previous, next, place);
  const trouble = element('div', {});
  const root = element(
    'div',
    {},
    element(
      'div',
      { class: 'toolbar' },
      element('label', {}, 'Search ', search),
      element('label', {}, 'Status ', status),
    ),
    trouble,
    list,
    turning,
  );

  function firstPage(): string {
    const query = new URLSearchParams({ limit: String(PAGE_FRAMES) });
    if (search.value.trim() !== '') query.set('search', search.value.trim());
    if (status.value !== '') query.set('status', status.value);
    return `/v1/frames?${query}`;
  }

  function restart(): Promise<void> {
    pages = [firstPage()];
    return load();
  }

  function turn(step: 1 | -1): Promise<void> {
    if (step === 1 && shown.next !== null) pages.push(shown.next);
    if (step === -1 && pages.length > 1) pages.pop();
    return load();
  }

  function load(): Promise<void> {
    return showingProblems(trouble, async () => {
      shown = await getJson<FrameList>(pages.at(-1)!, signal);
      replace(trouble);
      draw();
    });
  }

  function draw(): void {
    const rows = shown.frames.map(frameRow);
    const hasFilter = search.value.trim() !== '' || status.value !== '';
    const none = hasFilter ? 'No such frame.' : 'None yet: drop a model above.';
    replace(list, ...(rows.length === 0 ? [element('li', { class: 'none' }, none)] : rows));
    turning.hidden = pages.length < 2 && shown.next === null;
    previous.disabled = pages.length < 2;
    next.disabled = shown.next === null;
    place.textContent = `page ${pages.length}`;
  }

  function frameRow(frame: FrameStatus): HTMLElement {
    const { id, model, submittedAt, options } = frame;
    const picture =
      frame.status === 'done'
        ? element('img', { src: frame.links.image, alt: '', loading: 'lazy', decoding: 'async' })
        : element('span', { class: 'no-picture', 'aria-hidden': 'true' }, '…');
    const isOver = frame.progress.phase === 'over';
    const name = shortId(id);
    return element(
      'li',
      { 'data-frame': id },
      element(
        'a',
        { class: 'thumbnail', href: frameHref(id), 'aria-label': `Frame ${name}` },
        picture,
      ),
      element(
        'div',
        {},
        element('a', { href: frameHref(id) }, name),
        element('span', { class: `badge ${frame.status}` }, describeStatus(frame)),
        element('p', {}, model),
        element(
          'p',
          { class: 'hint' },
          `${options.policy}, ${options.chiplets ?? 'all'} chiplets, ${options.timing}, ${formatMoment(submittedAt)}`,
        ),
      ),
      element(
        'button',
        {
          type: 'button',
          'aria-label': `${isOver ? 'Forget' : 'Cancel'} frame ${name}`,
          onclick: () => remove(frame),
        },
        isOver ? 'Forget' : 'Cancel',
      ),
    );
  }

  function describeStatus(frame: FrameStatus): string {
    if (frame.error !== null) return `${frame.status}: ${frame.error.code}`;
    if (frame.status !== 'running') return frame.status;
    const { phase, binsDone, binCount } = frame.progress;
    const done = Math.max(binsDone, binsByFrame.get(frame.id)?.size ?? 0);
    return phase === 'bins' && binCount > 0 ? `bins ${done}/${Math.max(done, binCount)}` : phase;
  }

  function remove(frame: FrameStatus): Promise<void> {
    return showingProblems(trouble, async () => {
      await sendDelete(frame.links.self);
      announce(`frame ${shortId(frame.id)} is gone`);
      await load();
    });
  }

  function redraw(frame: FrameStatus): void {
    const row = list.querySelector(`[data-frame="${CSS.escape(frame.id)}"]`);
    const hasFocus = row?.contains(document.activeElement) ?? false;
    const fresh = frameRow(frame);
    row?.replaceWith(fresh);
    if (hasFocus) fresh.querySelector('a')?.focus();
  }

  live.on(
    'frame',
    (frame) => {
      if (frame.progress.phase === 'over') binsByFrame.delete(frame.id);
      const isShown = shown.frames.some(({ id }) => id === frame.id);
      if (isShown && status.value === '') {
        const frames = shown.frames.map((other) => (other.id === frame.id ? frame : other));
        shown = { ...shown, frames };
        redraw(frame);
      } else if (pages.length < 2) {
        load();
      }
    },
    signal,
  );
  live.on(
    'bin',
    (bin) => {
      const id = frameOfBin(bin);
      const bins = binsByFrame.get(id) ?? new Set();
      binsByFrame.set(id, bins.add(`${bin.passIndex}/${bin.binId}`));
      const frame = shown.frames.find((other) => other.id === id);
      const badge = list.querySelector(`[data-frame="${CSS.escape(id)}"] .badge`);
      if (frame !== undefined && badge !== null) badge.textContent = describeStatus(frame);
    },
    signal,
  );
  live.on('snapshot', () => load(), signal);
  search.addEventListener('input', () => {
    clearTimeout(searchTimer);
    searchTimer = setTimeout(restart, SEARCH_AFTER_MS);
  });
  status.addEventListener('change', restart);
  signal.addEventListener('abort', () => clearTimeout(searchTimer));
  restart();
  return { root };
}
