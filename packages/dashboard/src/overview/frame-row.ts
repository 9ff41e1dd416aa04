/** One row of the list of frames. */
import type { FrameStatus } from '../api/types.ts';
import { tagList } from '../frame-view/frame-labels.ts';
import { describeTiming } from '../ui/describe-timing.ts';
import { element } from '../ui/dom.ts';
import { formatMoment, shortId } from '../ui/format.ts';
import { frameHref } from '../ui/routes.ts';

/**
 * Creates the row of a frame.
 *
 * @param binsDone Number of finished bins known from events.
 * @param onRemove Called to cancel the frame, or to delete it once it is finished; null if the row
 *   has no button.
 */
export function frameRow(
  frame: FrameStatus,
  binsDone: number,
  onRemove: (() => void) | null,
): HTMLElement {
  const { id, name, tags, model, submittedAt, options } = frame;
  const isFinished = frame.progress.phase === 'over';
  const removal = isFinished ? 'Delete' : 'Cancel';
  const summary = [
    options.policy,
    `${options.chiplets ?? 'all'} chiplets`,
    describeTiming(options),
    formatMoment(submittedAt),
    shortId(id),
  ].join(', ');
  return element(
    'li',
    { 'data-frame': id },
    element(
      'a',
      { class: 'thumbnail', href: frameHref(id), 'aria-label': `Frame ${name}` },
      thumbnail(frame),
    ),
    element(
      'div',
      {},
      element('a', { href: frameHref(id) }, name),
      element('span', { class: `badge ${frame.status}` }, describeStatus(frame, binsDone)),
      element('p', { class: 'hint', title: model }, summary),
      tagList(tags),
    ),
    onRemove !== null &&
      element(
        'button',
        { type: 'button', 'aria-label': `${removal} frame ${name}`, onclick: onRemove },
        removal,
      ),
  );
}

/**
 * Describes the status of a frame: its error code or its progress.
 *
 * @param binsDone Number of finished bins known from events, which may be ahead of `frame`.
 */
export function describeStatus(frame: FrameStatus, binsDone: number): string {
  if (frame.error !== null) return `${frame.status}: ${frame.error.code}`;
  if (frame.status !== 'running') return frame.status;
  const { phase, binCount } = frame.progress;
  const done = Math.max(frame.progress.binsDone, binsDone);
  return phase === 'bins' && binCount > 0 ? `bins ${done}/${Math.max(done, binCount)}` : phase;
}

function thumbnail({ status, links }: FrameStatus): HTMLElement {
  return status === 'done'
    ? element('img', { src: links.image, alt: '', loading: 'lazy', decoding: 'async' })
    : element('span', { class: 'no-image', 'aria-hidden': 'true' }, '…');
}
