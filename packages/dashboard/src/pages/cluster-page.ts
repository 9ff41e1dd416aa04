/**
 * The first page of a gateway: the cells of its cluster, what waits for them, frames and studies.
 */
import { getJson } from '../api/requests.ts';
import type { ClusterStats, FrameList } from '../api/types.ts';
import { factTiles } from '../frame-view/facts.ts';
import type { Fact } from '../frame-view/report-figures.ts';
import { frameRow } from '../overview/frame-row.ts';
import { framePanel } from '../post/frame-panel.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import {
  documentLinks,
  emptyState,
  type PageContext,
  scrollingTable,
  section,
  showingProblems,
  tableHead,
} from '../ui/page.ts';
import { Refresh } from '../ui/refresh.ts';

/** Frames in the list. */
const LISTED_FRAMES = 20;

const CELL_MEANINGS = {
  cell: 'name of the cell: its host and process, or TESSERA_CELL_NAME',
  version: 'version of the simulator; a cell takes units of its own version only',
  'units in hand': 'units that the cell has claimed and not finished',
  'last heard': 'time since the last beat; after 10 s other cells take the units',
} as const;
const TENANT_MEANINGS = {
  tenant: 'name in the file of tenants',
  'open units': 'units that wait or are being rendered',
} as const;

/** Shows the cluster. */
export function clusterPage(context: PageContext): void {
  const { root, live, signal } = context;
  const figures = element('div', {});
  const cells = element('div', {}, element('p', { class: 'hint' }, 'Cells …'));
  const tenants = element('div', {});
  const show = (stats: ClusterStats) => {
    replace(figures, factTiles(factsOf(stats)));
    replace(cells, stats.cells.length === 0 ? noCells() : cellTable(stats.cells));
    replace(tenants, tenantTable(stats.tenants));
  };
  live.on('cluster', show, signal);
  if (live.cluster !== null) show(live.cluster);
  root.append(
    element('h1', {}, 'Cluster'),
    element(
      'p',
      {},
      'This gateway stores frames and studies. Cells pull the units of work and render them.',
    ),
    documentLinks(
      ['A cluster of gateways and cells', 'cluster.md'],
      ['Run a study', 'how-to/run-a-study.md'],
      ['All documents', 'README.md'],
    ),
    figures,
    element(
      'div',
      { class: 'side-by-side' },
      section('Render', framePanel(context)),
      section('Cells', cells, element('h3', {}, 'Tenants'), tenants),
    ),
    section('Newest frames', frameList(context)),
  );
}

function factsOf(stats: ClusterStats): Fact[] {
  const fact = (name: string, value: number, meaning: string): Fact => ({
    name,
    value,
    form: 'number',
    meaning,
  });
  return [
    fact('cells', stats.cells.length, 'cells that were heard of in the last 30 seconds'),
    fact('waiting units', stats.waitingUnits, 'units that no cell has claimed'),
    fact('claimed units', stats.runningUnits, 'units in the hands of cells'),
    fact('stored results', stats.resultCount, 'units whose result is known'),
    fact('violations', stats.violationCount, 'units that two cells rendered differently; a fault'),
  ];
}

function cellTable(cells: ClusterStats['cells']): HTMLElement {
  const nowMs = Date.now();
  const heads = Object.keys(CELL_MEANINGS);
  const rows = cells.map(({ name, version, unitsInHand, lastBeatMs }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      element('td', {}, version),
      element('td', { class: 'number' }, formatNumber(unitsInHand)),
      element('td', { class: 'number' }, secondsBefore(lastBeatMs, nowMs)),
    ),
  );
  const isNumber = (head: string) => head === 'units in hand' || head === 'last heard';
  return scrollingTable(
    'Cells',
    element('table', {}, tableHead(heads, isNumber, CELL_MEANINGS), element('tbody', {}, ...rows)),
  );
}

/** Returns a time since a beat. The clocks of database and browser may differ. */
function secondsBefore(beatMs: number, nowMs: number): string {
  return `${Math.max(0, Math.round((nowMs - beatMs) / 1000))} s`;
}

function tenantTable(tenants: ClusterStats['tenants']): HTMLElement {
  const rows = tenants.map(({ name, openUnits }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      element('td', { class: 'number' }, formatNumber(openUnits)),
    ),
  );
  return scrollingTable(
    'Tenants',
    element(
      'table',
      {},
      tableHead(Object.keys(TENANT_MEANINGS), (head) => head !== 'tenant', TENANT_MEANINGS),
      element('tbody', {}, ...rows),
    ),
  );
}

function noCells(): HTMLElement {
  return emptyState(
    'No cell was heard of in the last 30 seconds, so units wait. Start one with the addresses of the same engine and blobs:',
    'TESSERA_PORT=0 TESSERA_DATA_DIR=/tmp/tessera/cell npm run cell',
    documentLinks(['A cluster of gateways and cells', 'cluster.md']),
  );
}

/** Creates the list of the newest frames, which follows them. */
function frameList({ live, signal }: PageContext): HTMLElement {
  const list = element('ul', { class: 'frames' });
  const load = () =>
    showingProblems(list, async () => {
      const { frames } = await getJson<FrameList>('/v1/frames', signal);
      const rows = frames.slice(0, LISTED_FRAMES).map((frame) => frameRow(frame, 0, null));
      const none = 'No frames yet.';
      replace(list, ...(rows.length === 0 ? [element('li', {}, none)] : rows));
    });
  const refresh = new Refresh(signal, load);
  live.on('frame', () => refresh.request(), signal);
  live.on('snapshot', () => refresh.request(), signal);
  load();
  return list;
}
