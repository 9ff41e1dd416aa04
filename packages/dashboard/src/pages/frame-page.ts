/**
 * One frame: progress while it renders, then why it takes its time, image and bins, Gantt chart,
 * figures, counters, downloads.
 */
import { getJson, sendDelete } from '../api/requests.ts';
import type { CounterEntry, FrameStatus, Report, Timeline } from '../api/types.ts';
import { exploreSection } from '../explore/explore-section.ts';
import { againForm } from '../frame-view/again-form.ts';
import { costOf, keyBins } from '../frame-view/bin-figures.ts';
import { causesSection } from '../frame-view/causes-section.ts';
import { channelTable } from '../frame-view/channel-table.ts';
import { counterTable } from '../frame-view/counter-table.ts';
import { energyTable } from '../frame-view/energy-table.ts';
import { factTiles } from '../frame-view/facts.ts';
import { followFrame } from '../frame-view/follow-frame.ts';
import { describeFrame, labelBox } from '../frame-view/frame-labels.ts';
import { imageWithBins } from '../frame-view/image-with-bins.ts';
import { perfettoButton } from '../frame-view/open-in-perfetto.ts';
import { remoteMemory } from '../frame-view/remote-memory.ts';
import { renderProgress } from '../frame-view/render-progress.ts';
import { keyFigures } from '../frame-view/report-figures.ts';
import { type GanttChart, ganttChart } from '../gantt/gantt-chart.ts';
import { readTimeline } from '../gantt/timeline-rows.ts';
import { pixelSection } from '../pixels/pixel-section.ts';
import { shaderSection } from '../shaders/shader-section.ts';
import { describeTiming } from '../ui/describe-timing.ts';
import { element, replace } from '../ui/dom.ts';
import { formatDuration, formatMoment, formatNumber, shortId } from '../ui/format.ts';
import { BIN_MEANINGS } from '../ui/meanings.ts';
import {
  documentLinks,
  type PageContext,
  problemBox,
  scrollingTable,
  section,
  showingProblems,
  tableHead,
} from '../ui/page.ts';
import { compareHref } from '../ui/routes.ts';

/** Shows a frame. */
export async function framePage(context: PageContext, id: string): Promise<void> {
  const { root, live, signal, announce } = context;
  const head = element('div', {});
  const body = element('div', {});
  const heading = element('h1', {}, `Frame ${shortId(id)}`);
  root.append(heading, head, body);
  let progress: ReturnType<typeof renderProgress> | null = null;
  const status = await followFrame({
    id,
    live,
    signal,
    onStatus: (now) => {
      heading.textContent = now.name;
      replace(head, frameHead(context, now, heading));
      if (now.progress.phase === 'over') return;
      if (progress === null) {
        progress = renderProgress(now);
        live.on('bin', progress.addBin, signal);
        replace(body, section('Progress', progress.root));
      }
      progress.showStatus(now);
    },
  });
  if (progress !== null) announce(`${status.name} is ${status.status}`);
  if (status.error !== null) {
    const { code, message } = status.error;
    replace(body, problemBox({ code, title: '', detail: message, status: 0 }));
    return;
  }
  const [report, { counters }] = await Promise.all([
    getJson<Report>(status.links.report, signal),
    getJson<{ counters: CounterEntry[] }>('/v1/counters', signal),
  ]);
  showResult(context, body, status, report, counters);
}

function frameHead(
  context: PageContext,
  status: FrameStatus,
  heading: HTMLHeadingElement,
): HTMLElement {
  const { announce, isGateway } = context;
  const { id, model, options, submittedAt, warnings, error } = status;
  const problem = element('div', {});
  const isFinished = status.progress.phase === 'over';
  const remove = () =>
    showingProblems(problem, async () => {
      await sendDelete(status.links.self);
      announce(isFinished ? 'The frame was deleted' : 'The frame was cancelled');
      if (isFinished) location.hash = '#/';
    });
  const asked = [
    options.policy,
    `${options.chiplets ?? 'all'} chiplets`,
    `${options.bins} bins`,
    `visibility ${options.visibility}`,
    describeTiming(options),
    `specification ${options.spec}`,
  ];
  return element(
    'div',
    { class: 'frame-head' },
    element(
      'p',
      {},
      element('span', { class: `badge ${status.status}` }, error?.code ?? status.status),
      ` ${formatMoment(submittedAt)}`,
    ),
    !isGateway && labelBox(context, status, heading),
    element('p', { class: 'hint' }, asked.join(' · ')),
    element('p', { class: 'hint' }, `${model} · ${shortId(id)}`),
    (!isGateway || !isFinished) &&
      element('button', { type: 'button', onclick: remove }, isFinished ? 'Delete' : 'Cancel'),
    problem,
    warnings.length > 0 &&
      element(
        'details',
        { class: 'warnings' },
        element('summary', {}, `${warnings.length} warnings`),
        element('ul', {}, ...warnings.map((warning) => element('li', {}, warning))),
      ),
  );
}

function showResult(
  context: PageContext,
  body: HTMLElement,
  status: FrameStatus,
  report: Report,
  counters: readonly CounterEntry[],
): void {
  const { signal, announce, isGateway } = context;
  let chart: GanttChart | null = null;
  const image = imageWithBins({ status, report, onBin: (key) => chart?.markBin(key) });
  const ganttPlace = element('div', {}, element('p', { class: 'hint' }, 'Timeline …'));
  const [channels, memory] = [channelTable(report), remoteMemory(report)];
  replace(
    body,
    causesSection(report),
    section('Image and bins', image.root, binTable(report)),
    !isGateway && pixelSection(context, status, report),
    !isGateway && shaderSection(context, status),
    section('Chiplets over simulated cycles', ganttPlace),
    !isGateway && exploreSection(context, status, report),
    section(
      'Figures',
      factTiles(keyFigures(report)),
      wallNote(report),
      documentLinks(['Read the report', 'how-to/read-the-report.md'], ['Glossary', 'glossary.md']),
    ),
    // Reports of earlier versions have none.
    report.energy
      ? section('Energy', energyTable(report.energy), documentLinks(['Energy', 'energy.md']))
      : false,
    channels !== null && section('Link', channels),
    memory !== null && section('Remote memory', memory),
    section(
      'Compare',
      ...(isGateway ? [] : [againForm(context, status)]),
      compareWith(context, status),
    ),
    section(
      'Counters',
      counterTable(report, counters),
      documentLinks(['All counters', 'counters.md']),
    ),
    section('Downloads', downloads(context, status, report)),
  );
  if (report.timing !== 'cycle') {
    const text = 'This frame has timing=functional, so it has no timeline.';
    replace(ganttPlace, element('p', {}, text));
    return;
  }
  showingProblems(ganttPlace, async () => {
    const timeline = readTimeline(await getJson<Timeline>(status.links.timeline, signal));
    chart = ganttChart([{ title: '', timeline }], { onBin: image.markBin, announce, signal });
    const links = documentLinks(['What the spans mean', 'how-to/open-the-timeline.md']);
    replace(ganttPlace, chart.root, links);
  });
}

function binTable(report: Report): HTMLElement {
  const heads = [
    'bin',
    'chiplet',
    'primitives',
    'fragments',
    'start',
    'end',
    'cycles',
    'estimated',
  ];
  const isOnePass = report.passes.length === 1;
  const rows = keyBins(report).map(({ bin }) => {
    const cycles = report.timing === 'cycle' ? costOf(bin) : null;
    const figures = [
      bin.chiplet,
      bin.primitives,
      bin.fragments,
      bin.startCycle,
      bin.endCycle,
      cycles,
    ];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, isOnePass ? bin.id : `${bin.passIndex}/${bin.id}`),
      ...[...figures, bin.estimatedCost].map((figure) =>
        element('td', { class: 'number' }, formatNumber(figure)),
      ),
    );
  });
  const table = element(
    'table',
    {},
    tableHead(heads, (name) => name !== 'bin', BIN_MEANINGS),
    element('tbody', {}, ...rows),
  );
  return element(
    'details',
    {},
    element('summary', {}, 'Bins as a table'),
    scrollingTable('Bins', table),
  );
}

function wallNote({ wall, chiplets, spec }: Report): HTMLElement {
  const retried = wall.retriedBins === 0 ? '' : `, ${wall.retriedBins} bins retried`;
  return element(
    'p',
    { class: 'hint' },
    `${chiplets.length} chiplets of specification ${spec.name}. Wall time, which varies between runs: ` +
      `${formatDuration(wall.totalMs)}${retried}, ${wall.checkedBins} bins checked.`,
  );
}

/** Creates a select element for another finished frame to compare with. */
function compareWith({ signal }: PageContext, status: FrameStatus): HTMLElement {
  const place = element('div', {});
  showingProblems(place, async () => {
    const { frames } = await getJson<{ frames: FrameStatus[] }>(
      '/v1/frames?status=done&limit=50',
      signal,
    );
    const others = frames.filter(({ id }) => id !== status.id);
    if (others.length === 0) return;
    // Frames of the same name first, because their images can be compared.
    others.sort((a, b) => Number(b.name === status.name) - Number(a.name === status.name));
    const select = element(
      'select',
      {},
      ...others.map((frame) => element('option', { value: frame.id }, describeFrame(frame))),
    );
    const go = () => {
      location.hash = compareHref(status.id, select.value);
    };
    place.append(
      element(
        'div',
        { class: 'toolbar' },
        element('label', {}, 'Another frame ', select),
        element('button', { type: 'button', onclick: go }, 'Compare'),
      ),
    );
  });
  return place;
}

function downloads(
  context: PageContext,
  { id, name: title, links }: FrameStatus,
  report: Report,
): HTMLElement {
  const link = (href: string, name: string, text: string) =>
    element('li', {}, element('a', { href, download: `${shortId(id)}-${name}` }, text));
  const entries = [
    link(links.image, 'image.png', 'Image (PNG)'),
    link(`${links.image}?bins=owner`, 'owners.png', 'Image with bins by owner (PNG)'),
    link(`${links.image}?bins=cost`, 'costs.png', 'Image with bins by cost (PNG)'),
    link(links.report, 'report.json', 'Report (JSON)'),
  ];
  if (report.timing === 'cycle') {
    entries.push(link(links.timeline, 'timeline.json', 'Timeline (JSON, for Perfetto)'));
  }
  return element(
    'div',
    {},
    element('ul', { class: 'downloads' }, ...entries),
    report.timing === 'cycle' && perfettoButton(context, title, links.timeline),
    report.timing === 'cycle' &&
      element(
        'p',
        { class: 'hint' },
        'The timeline has an event per unit of each chiplet and interval, and counters of the link. Without a network, drop the file on chrome://tracing. A nanosecond there is a simulated cycle.',
      ),
  );
}
