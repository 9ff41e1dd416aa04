/** Remote memory of a frame: placement, traffic between chiplets, hit rates of caches. */
import type { Report } from '../api/types.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element } from '../ui/dom.ts';
import { formatBytes, formatNumber, formatShare } from '../ui/format.ts';
import { REMOTE_MEANINGS } from '../ui/meanings.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import { factTiles } from './facts.ts';
import { describePlacement, totalLines } from './remote-figures.ts';
import type { Fact } from './report-figures.ts';
import { trafficMatrix } from './traffic-matrix.ts';

type RemoteReport = NonNullable<Report['link']['remote']>;

/** Creates the parts of the section, or null if every chiplet has copies of everything. */
export function remoteMemory({ link, placement, spec }: Report): HTMLElement | null {
  const { remote } = link;
  if (remote === null || remote.bytes.length < 2) return null;
  const { remoteCache, placementPageBytes } = spec.parameters;
  const cache = {
    l2: 'the second-level cache',
    own: 'a cache of their own',
    none: 'no cache but those of the units',
  }[String(remoteCache)];
  return element(
    'div',
    {},
    element(
      'p',
      {},
      `Placement: ${describePlacement(placement)}. Pages of ${formatBytes(Number(placementPageBytes))}; ` +
        `lines of other memories are kept in ${cache ?? String(remoteCache)}.`,
    ),
    factTiles(factsOf(remote)),
    element('h3', {}, 'Traffic between chiplets'),
    trafficMatrix(remote.bytes),
    element('h3', {}, 'Reads of other memories'),
    readTable(remote),
  );
}

function factsOf(remote: RemoteReport): Fact[] {
  const { wanted, fetched, hitRate } = totalLines(remote);
  const bytes = remote.bytes.flat().reduce((sum, each) => sum + each, 0);
  const written = remote.writes.reduce((sum, each) => sum + each, 0);
  const fact = (name: string, value: number | null, form: Fact['form'], meaning: string) => ({
    ...{ name, value, form, meaning },
  });
  return [
    fact('remote bytes', bytes, 'bytes', 'bytes of messages between chiplets, headers included'),
    fact('lines wanted', wanted, 'number', 'lines of other memories that units wanted'),
    fact('lines fetched', fetched, 'number', 'lines that were requested from other memories'),
    fact('hit rate', hitRate, 'share', 'lines that were in the cache of remote lines ÷ wanted'),
    fact('lines written', written, 'number', 'lines that were written to other memories'),
  ];
}

function readTable({ lines, writes, bytes }: RemoteReport): HTMLElement {
  const heads = ['chiplet', 'wanted', 'cached', 'merged', 'fetched', 'hit rate', 'written', 'sent'];
  const rows = lines.map(({ wanted, cached, merged, fetched, hitRate }, id) => {
    const sent = bytes[id]!.reduce((sum, each) => sum + each, 0);
    const figures = [
      ...[wanted, cached, merged, fetched].map(formatNumber),
      formatShare(hitRate),
      formatNumber(writes[id]),
      formatBytes(sent),
    ];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, chipletMark(id)),
      ...figures.map((figure) => element('td', { class: 'number' }, figure)),
    );
  });
  const table = element(
    'table',
    { class: 'fitting' },
    tableHead(heads, (name) => name !== 'chiplet', REMOTE_MEANINGS),
    element('tbody', {}, ...rows),
  );
  return scrollingTable('Reads of other memories', table, 'tall');
}
