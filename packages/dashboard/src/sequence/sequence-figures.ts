/** Figures of a sequence's report: those that are shown first, and its tables. */

import type { Fact } from '../frame-view/report-figures.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { tableHead } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';
import type { SequenceReport } from './sequence-types.ts';

/** What is shown of a sequence first; without what there is no figure of. */
export function sequenceFacts(report: SequenceReport): Fact[] {
  const { steadyState, totals, withoutOverlap } = report;
  const fact = (
    name: string,
    value: number | null | undefined,
    meaning: string,
    form: Fact['form'] = 'number',
  ): Fact => ({ name, value: value ?? null, form, meaning });
  const facts = [
    fact('cycles a frame', steadyState?.cyclesPerFrame, 'in the steady state'),
    fact(
      'frames a second',
      steadyState?.framesPerSecond,
      'simulated, in the steady state, at the clock of the specification',
    ),
    fact('speed-up', steadyState?.speedUp, 'in the steady state over one chiplet'),
    fact(
      'bound',
      steadyState?.speedUpBound,
      'no overlap gives a greater speed-up: all chiplets at work all the time, or chiplet 0 with visibility alone',
    ),
    fact(
      'serial share',
      steadyState?.serialFraction,
      'part of a frame’s cycles on one chiplet that its visibility phases take',
      'share',
    ),
    fact('cycles', totals.cycles, 'of all frames'),
    fact(
      'without overlap',
      withoutOverlap.cycles,
      'cycles of the same frames, each begun when the one before is complete',
    ),
    fact('idle filled', report.idleCyclesFilled, 'idle cycles of all chiplets that overlap filled'),
    fact('link', report.link.bytes, 'sent over the link', 'bytes'),
  ];
  return facts.filter(({ value }) => value !== null);
}

/** @param frameIds In the order of the report. */
export function frameTable(report: SequenceReport, frameIds: readonly string[]): HTMLTableElement {
  const heads = ['frame', 'start', 'visibility', 'first bin', 'end', 'latency', 'assigned by'];
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
    tableHead(heads, (name) => name !== 'frame' && name !== 'assigned by'),
    element('tbody', {}, ...rows),
  );
}

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
    tableHead(['chiplet', 'busy', 'idle', 'idle share'], (name) => name !== 'chiplet'),
    element('tbody', {}, ...rows),
  );
}
