/** Figures and tables of a sequence's report. */

import type { Fact } from '../frame-view/report-figures.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { SEQUENCE_MEANINGS } from '../ui/meanings.ts';
import { tableHead } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';
import type { SequenceReport } from './sequence-types.ts';

/** Returns the key figures of a sequence, without missing ones. */
export function sequenceFacts(report: SequenceReport): Fact[] {
  const { steadyState, totals, withoutOverlap } = report;
  const fact = (
    name: string,
    value: number | null | undefined,
    meaning: string,
    form: Fact['form'] = 'number',
  ): Fact => ({ name, value: value ?? null, form, meaning });
  const facts = [
    fact('cycles per frame', steadyState?.cyclesPerFrame, 'mean cycles in the steady state'),
    fact(
      'frames per second',
      steadyState?.framesPerSecond,
      'simulated, in the steady state, at the clock of the specification',
    ),
    fact('speed-up', steadyState?.speedUp, 'cycles on one chiplet ÷ cycles, in the steady state'),
    fact(
      'bound',
      steadyState?.speedUpBound,
      'upper bound on the speed-up: all chiplets always busy, or chiplet 0 only computing visibility',
    ),
    fact(
      'serial share',
      steadyState?.serialFraction,
      'share of a frame’s cycles on one chiplet spent in visibility phases',
      'share',
    ),
    fact('cycles', totals.cycles, 'simulated cycles of all frames'),
    fact(
      'without overlap',
      withoutOverlap.cycles,
      'cycles of the same frames if each starts after the previous one is complete',
    ),
    fact('idle filled', report.idleCyclesFilled, 'idle cycles of all chiplets that overlap filled'),
    fact('link', report.link.bytes, 'bytes sent over the link', 'bytes'),
  ];
  return facts.filter(({ value }) => value !== null);
}

/**
 * Creates a table with a row per frame.
 *
 * @param frameIds Ids in report order.
 */
export function frameTable(report: SequenceReport, frameIds: readonly string[]): HTMLTableElement {
  const heads = ['frame', 'start', 'visibility', 'first bin', 'end', 'latency', 'prediction'];
  const rows = report.frames.map((frame, index) => {
    const { visibilityStartCycle: from, visibilityEndCycle: to } = frame;
    const visibility = from === null || to === null ? null : to - from;
    const { startCycle, firstBinCycle, endCycle, latencyCycles } = frame;
    const figures = [startCycle, visibility, firstBinCycle, endCycle, latencyCycles];
    const link = element('a', { href: frameHref(frameIds[index]!) }, `frame ${index}`);
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, link),
      ...figures.map((figure) => element('td', { class: 'number' }, formatNumber(figure))),
      element('td', {}, frame.prediction),
    );
  });
  return element(
    'table',
    { class: 'sequence-frames' },
    tableHead(heads, (name) => name !== 'frame' && name !== 'prediction', SEQUENCE_MEANINGS),
    element('tbody', {}, ...rows),
  );
}

/** Creates a table of the busy and idle time of each chiplet. */
export function chipletShareTable({ chiplets }: SequenceReport): HTMLTableElement {
  const rows = chiplets.map(({ id, busyCycles, idleCycles, idleShare }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, chipletMark(id)),
      element('td', { class: 'number' }, formatNumber(busyCycles)),
      element('td', { class: 'number' }, formatNumber(idleCycles)),
      element('td', { class: 'number' }, formatShare(idleShare)),
    ),
  );
  return element(
    'table',
    { class: 'fitting' },
    tableHead(
      ['chiplet', 'busy', 'idle', 'idle share'],
      (name) => name !== 'chiplet',
      SEQUENCE_MEANINGS,
    ),
    element('tbody', {}, ...rows),
  );
}
