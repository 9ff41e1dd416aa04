/** The channels of the link with the bytes they carried and the share of time they were busy. */
import type { Report } from '../api/types.ts';
import { element } from '../ui/dom.ts';
import { formatBytes, formatNumber, formatShare } from '../ui/format.ts';
import { CHANNEL_MEANINGS } from '../ui/meanings.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import { busiestChannels, type ChannelShare } from './remote-figures.ts';

/** Upper bound on the rows; the report has all channels. */
const MAX_ROWS = 64;

/** Creates the table, or null if no channel was used or cycles are not known. */
export function channelTable(report: Report): HTMLElement | null {
  const channels = busiestChannels(report);
  if (channels.length === 0) return null;
  const { topology, bytesPerCycle, latencyCycles } = report.link;
  const table = element(
    'table',
    { class: 'fitting' },
    tableHead(
      ['channel', 'packets', 'bytes', 'busy cycles', 'busy share', ''],
      (name) => name !== 'channel' && name !== '',
      CHANNEL_MEANINGS,
    ),
    element('tbody', {}, ...channels.slice(0, MAX_ROWS).map(channelRow)),
  );
  const omitted = channels.length - MAX_ROWS;
  return element(
    'div',
    {},
    element(
      'p',
      {},
      `Topology ${topology}, ${formatNumber(bytesPerCycle)} bytes per cycle and channel, ` +
        `latency ${formatNumber(latencyCycles)} cycles. Traffic of all channels, headers included:`,
    ),
    scrollingTable('Channels of the link', table, 'tall'),
    omitted > 0 &&
      element('p', { class: 'hint' }, `${omitted} less busy channels are in the report.`),
  );
}

function channelRow({ channel, packets, bytes, busyCycles, busyShare }: ChannelShare): HTMLElement {
  const bar = element('span', { class: 'share-bar' });
  bar.style.width = `${(100 * Math.min(1, busyShare)).toFixed(1)}%`;
  const figures = [
    formatNumber(packets),
    formatBytes(bytes),
    formatNumber(busyCycles),
    formatShare(busyShare),
  ];
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, channel.replace('→', ' → ')),
    ...figures.map((figure) => element('td', { class: 'number' }, figure)),
    element('td', { class: 'share' }, bar),
  );
}
