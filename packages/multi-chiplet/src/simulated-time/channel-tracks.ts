/**
 * Tracks of the channels of the link in a timeline. Transfers that share a channel overlap in time,
 * and a track of a trace must not have intervals that overlap. Such transfers take further tracks
 * of the channel.
 */
import type { ChannelUse, Transfer } from '../interconnect/crosslink-model.ts';

/** Use of a channel by a transfer. */
export interface TrackedUse extends ChannelUse {
  readonly transfer: Transfer;
}

/** Track of a channel. */
export interface ChannelTrack {
  /** Name of the channel, with a number if it is not the first track: `bus`, `bus #2`. */
  readonly name: string;
  /** Uses by start, none of which overlap. */
  readonly uses: readonly TrackedUse[];
}

/** Returns the uses of each channel, in the order in which transfers first use the channels. */
export function usesByChannel(
  transfers: readonly Transfer[],
): ReadonlyMap<string, readonly TrackedUse[]> {
  const byChannel = new Map<string, TrackedUse[]>();
  for (const transfer of transfers) {
    for (const use of transfer.channels) {
      const own = byChannel.get(use.channel) ?? [];
      own.push({ ...use, transfer });
      byChannel.set(use.channel, own);
    }
  }
  return byChannel;
}

/** Returns the tracks of all channels, in the order in which transfers first use them. */
export function layOutChannels(transfers: readonly Transfer[]): readonly ChannelTrack[] {
  return [...usesByChannel(transfers)].flatMap(([channel, uses]) =>
    layOut(uses).map((own, index) => ({
      name: index === 0 ? channel : `${channel} #${index + 1}`,
      uses: own,
    })),
  );
}

/** Divides uses among tracks. Each takes the first track that is free. */
function layOut(uses: readonly TrackedUse[]): TrackedUse[][] {
  const tracks: TrackedUse[][] = [];
  const byStart = uses.toSorted((a, b) => a.startCycle - b.startCycle || a.endCycle - b.endCycle);
  for (const use of byStart) {
    const free = tracks.find((track) => track.at(-1)!.endCycle <= use.startCycle);
    if (free === undefined) tracks.push([use]);
    else free.push(use);
  }
  return tracks;
}
