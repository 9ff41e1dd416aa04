/** Totals of the transfers over the link, for the report. */
import type { ChannelReport, Report, TransferReport } from '@tessera/frame';
import { LINK_TRANSFER_KINDS } from '@tessera/frame/report';
import type { ChannelUse, Transfer } from './crosslink-model.ts';

/** Traffic of a channel in its direction. */
export interface ChannelTraffic extends ChannelReport {
  readonly busyCycles: number;
}

/**
 * Returns the use of the link by kind of transfer and by channel.
 *
 * @param channels Traffic of each channel.
 * @param isTimed Whether the simulated cycles are valid; figures in cycles are null otherwise.
 */
export function accountLink(
  transfers: readonly Transfer[],
  channels: readonly ChannelTraffic[],
  isTimed: boolean,
): Pick<Report['link'], 'bytes' | 'cycles' | 'transfers' | 'channels'> {
  const byKind = LINK_TRANSFER_KINDS.map((kind) => {
    const own = transfers.filter((transfer) => transfer.kind === kind);
    const sum = (of: (transfer: Transfer) => number) =>
      own.reduce((total, transfer) => total + of(transfer), 0);
    const report: TransferReport = {
      count: own.length,
      bytes: sum(({ bytes }) => bytes),
      channelCycles: isTimed ? sum(({ channels }) => channels.reduce(addLength, 0)) : null,
      waitCycles: isTimed ? sum((each) => each.startCycle - each.requestCycle) : null,
    };
    return [kind, report] as const;
  });
  return {
    bytes: byKind.reduce((total, [, { bytes }]) => total + bytes, 0),
    cycles: isTimed ? countTakenCycles(transfers) : null,
    // The map has an entry for each kind.
    transfers: Object.fromEntries(byKind) as Report['link']['transfers'],
    channels: channels.map((each) => ({
      ...each,
      busyCycles: isTimed ? each.busyCycles : null,
    })),
  };
}

function addLength(total: number, use: ChannelUse): number {
  return total + busyCyclesOf(use);
}

/** Returns the cycles in which a transfer occupies a channel. */
export function busyCyclesOf({ startCycle, endCycle, busyCycles }: ChannelUse): number {
  return busyCycles ?? endCycle - startCycle;
}

/** Counts the cycles in which at least one channel is occupied. */
function countTakenCycles(transfers: readonly Transfer[]): number {
  const uses = transfers.flatMap(({ channels }) => channels);
  uses.sort((a, b) => a.startCycle - b.startCycle);
  let taken = 0;
  let until = 0;
  for (const { startCycle, endCycle } of uses) {
    taken += Math.max(0, endCycle - Math.max(startCycle, until));
    until = Math.max(until, endCycle);
  }
  return taken;
}
