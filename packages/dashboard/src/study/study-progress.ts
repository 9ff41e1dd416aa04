/**
 * Progress of a study, with its CSV, its Parquet file and the button that cancels or deletes it.
 */
import { element } from '../ui/dom.ts';
import { formatDuration, formatNumber, shortId } from '../ui/format.ts';
import { problemBox } from '../ui/page.ts';
import type { StudyStatus } from './study-types.ts';

/**
 * Returns the elements that show a study's progress.
 *
 * @param onRemove Called to cancel the study, or to delete it once it is over; null if it cannot be
 *   removed.
 */
export function studyProgress(
  study: StudyStatus,
  onRemove: (() => void) | null,
): (HTMLElement | false)[] {
  const { id, status, error, links, sweep } = study;
  const { done, total, secondsLeft } = study.progress;
  const isRunning = status === 'running';
  const left =
    secondsLeft === null
      ? 'remaining time unknown'
      : `${formatDuration(secondsLeft * 1000)} remaining`;
  const coupling = sweep.coupling === 'exact' ? 'exact' : 'none (estimate)';
  const text = `${formatNumber(done)} of ${formatNumber(total)} frames rendered${isRunning ? `, ${left}` : ''}; coupling ${coupling}`;
  return [
    element(
      'p',
      { 'aria-live': 'polite' },
      element('span', { class: `badge ${status}` }, status),
      ` ${text}`,
    ),
    isRunning && element('progress', { max: total, value: done, 'aria-label': 'Frames rendered' }),
    error !== null && problemBox({ code: error.code, title: '', detail: error.message, status: 0 }),
    element(
      'div',
      { class: 'toolbar' },
      element(
        'a',
        { class: 'button', href: links.csv, download: `study-${shortId(id)}.csv` },
        'Download CSV',
      ),
      element(
        'a',
        { class: 'button', href: links.parquet, download: `study-${shortId(id)}.parquet` },
        'Download Parquet',
      ),
      onRemove !== null &&
        element('button', { type: 'button', onclick: onRemove }, isRunning ? 'Cancel' : 'Delete'),
    ),
  ];
}
