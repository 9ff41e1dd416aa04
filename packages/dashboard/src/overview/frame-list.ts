/** The list of frames with search and pages, kept up to date by events. */
import { frameOfBin } from '../api/live-service.ts';
import { getJson, sendDelete } from '../api/requests.ts';
import {
  type FinishedBin,
  FRAME_STATUSES,
  type FrameList,
  type FrameStatus,
} from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { documentLinks, emptyState, type PageContext, showingProblems } from '../ui/page.ts';
import { describeStatus, frameRow } from './frame-row.ts';

/** Returns how to render a first frame. */
const noFrames = () =>
  emptyState(
    'No frames yet. Drop a model or a capture above, or send one from a clone of the repository:',
    'npx tessera submit test/golden/models/BoxVertexColors.glb -o image.png --url {service}',
    documentLinks(['Tutorial', 'tutorial.md'], ['Your own model', 'how-to/own-model.md']),
  );
const PAGE_FRAMES = 20;
const SEARCH_AFTER_MS = 250;

/** The list of frames on the page. */
export class FrameListView {
  readonly root: HTMLElement;
  readonly #context: PageContext;
  readonly #search = element('input', {
    type: 'search',
    placeholder: 'part of a name or tag',
  });
  readonly #status = element(
    'select',
    {},
    element('option', { value: '' }, 'any'),
    ...FRAME_STATUSES.map((name) => element('option', { value: name }, name)),
  );
  readonly #list = element('ul', { class: 'frames' });
  readonly #newer = element(
    'button',
    { type: 'button', onclick: () => this.#turnPage(-1) },
    'Newer',
  );
  readonly #older = element(
    'button',
    { type: 'button', onclick: () => this.#turnPage(1) },
    'Older',
  );
  readonly #pageNumber = element('p', { class: 'hint' });
  readonly #pager = element(
    'div',
    { class: 'toolbar', hidden: true },
    this.#newer,
    this.#older,
    this.#pageNumber,
  );
  readonly #problem = element('div', {});
  /** Finished bins of running frames by frame id, each as pass and bin. */
  readonly #binsByFrame = new Map<string, Set<string>>();
  /** Addresses of the pages up to the current one. */
  #pages: string[] = [];
  #shown: FrameList = { frames: [], next: null };

  constructor(context: PageContext) {
    this.#context = context;
    this.root = element(
      'div',
      {},
      element(
        'div',
        { class: 'toolbar' },
        element('label', {}, 'Search ', this.#search),
        element('label', {}, 'Status ', this.#status),
      ),
      this.#problem,
      this.#list,
      this.#pager,
    );
    this.#listen();
    this.#restart();
  }

  #listen(): void {
    const { live, signal } = this.#context;
    live.on('frame', (frame) => this.#updateFrame(frame), signal);
    live.on('bin', (bin) => this.#updateBins(bin), signal);
    live.on('snapshot', () => this.#load(), signal);
    let searchTimer: ReturnType<typeof setTimeout> | undefined;
    this.#search.addEventListener('input', () => {
      clearTimeout(searchTimer);
      searchTimer = setTimeout(() => this.#restart(), SEARCH_AFTER_MS);
    });
    this.#status.addEventListener('change', () => this.#restart());
    signal.addEventListener('abort', () => clearTimeout(searchTimer));
  }

  /** Shows the first page of the current search. */
  #restart(): Promise<void> {
    const query = new URLSearchParams({ limit: String(PAGE_FRAMES) });
    const search = this.#search.value.trim();
    if (search !== '') query.set('search', search);
    if (this.#status.value !== '') query.set('status', this.#status.value);
    this.#pages = [`/v1/frames?${query}`];
    return this.#load();
  }

  #turnPage(step: 1 | -1): Promise<void> {
    if (step === 1 && this.#shown.next !== null) this.#pages.push(this.#shown.next);
    if (step === -1 && this.#pages.length > 1) this.#pages.pop();
    return this.#load();
  }

  #load(): Promise<void> {
    return showingProblems(this.#problem, async () => {
      this.#shown = await getJson<FrameList>(this.#pages.at(-1)!, this.#context.signal);
      replace(this.#problem);
      this.#draw();
    });
  }

  #draw(): void {
    const rows = this.#shown.frames.map((frame) => this.#row(frame));
    const hasFilter = this.#search.value.trim() !== '' || this.#status.value !== '';
    const none = hasFilter ? 'No frame matches.' : noFrames();
    replace(this.#list, ...(rows.length === 0 ? [element('li', { class: 'none' }, none)] : rows));
    this.#pager.hidden = this.#pages.length < 2 && this.#shown.next === null;
    this.#newer.disabled = this.#pages.length < 2;
    this.#older.disabled = this.#shown.next === null;
    this.#pageNumber.textContent = `page ${this.#pages.length}`;
  }

  #row(frame: FrameStatus): HTMLElement {
    return frameRow(frame, this.#binsDone(frame.id), () => this.#remove(frame));
  }

  #binsDone(id: string): number {
    return this.#binsByFrame.get(id)?.size ?? 0;
  }

  #remove(frame: FrameStatus): Promise<void> {
    return showingProblems(this.#problem, async () => {
      await sendDelete(frame.links.self);
      this.#context.announce(`${frame.name} was removed`);
      await this.#load();
    });
  }

  #updateFrame(frame: FrameStatus): void {
    if (frame.progress.phase === 'over') this.#binsByFrame.delete(frame.id);
    const isShown = this.#shown.frames.some(({ id }) => id === frame.id);
    if (isShown && this.#status.value === '') {
      const frames = this.#shown.frames.map((other) => (other.id === frame.id ? frame : other));
      this.#shown = { ...this.#shown, frames };
      this.#redraw(frame);
    } else if (this.#pages.length < 2) {
      this.#load();
    }
  }

  /** Replaces the row of a frame and keeps the focus in it. */
  #redraw(frame: FrameStatus): void {
    const row = this.#list.querySelector(`[data-frame="${CSS.escape(frame.id)}"]`);
    const hasFocus = row?.contains(document.activeElement) ?? false;
    const fresh = this.#row(frame);
    row?.replaceWith(fresh);
    if (hasFocus) fresh.querySelector('a')?.focus();
  }

  #updateBins(bin: FinishedBin): void {
    const id = frameOfBin(bin);
    const bins = this.#binsByFrame.get(id) ?? new Set();
    this.#binsByFrame.set(id, bins.add(`${bin.passIndex}/${bin.binId}`));
    const frame = this.#shown.frames.find((other) => other.id === id);
    const badge = this.#list.querySelector(`[data-frame="${CSS.escape(id)}"] .badge`);
    if (frame === undefined || badge === null) return;
    badge.textContent = describeStatus(frame, this.#binsDone(id));
  }
}
