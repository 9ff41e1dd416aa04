/**
 * Steady state of a train. After some packets of the same size, their times repeat: each packet
 * starts on every link a fixed number of cycles after the packet one period before it. The
 * recurrence of a train depends on differences of times alone, so the rest of the message repeats
 * too, and need not be computed.
 */
import type { NetworkTraffic } from './network-traffic.ts';
import type { SourceQueue } from './source-queue.ts';
import type { TrainBuffer, TrainStage } from './train-parts.ts';

/** Longest period that is looked for. A packet of 272 bytes on 256 bytes a cycle needs 16. */
export const MAX_PERIOD_PACKETS = 64;

/** Packets and cycles after which the times of a train repeat. */
export interface TrainPeriod {
  readonly packets: number;
  readonly cycles: number;
}

/** Parts of a train whose times may repeat. */
interface RepeatingParts {
  readonly stages: readonly TrainStage[];
  readonly buffers: readonly TrainBuffer[];
  /** Number of packets that were computed. */
  readonly packetCount: number;
}

/** Returns the shortest period of the newest packets; null if they do not repeat. */
export function findPeriod(parts: RepeatingParts): TrainPeriod | null {
  const { stages, buffers, packetCount } = parts;
  // Starts depend on the packet before and on packets that have not returned their room.
  const oldest = buffers.reduce(
    (least, { buffer, isReceiver, returnedCount }) =>
      buffer === null || isReceiver ? least : Math.min(least, returnedCount),
    packetCount - 1,
  );
  const [first] = stages as [TrainStage];
  const last = packetCount - 1;
  for (let packets = 1; packets <= MAX_PERIOD_PACKETS; packets++) {
    const from = oldest - packets;
    if (from - packets < 0) return null;
    const cycles =
      (first.startBytes[last]! - first.startBytes[last - packets]!) / first.link.bytesPerCycle;
    if (!Number.isInteger(cycles)) continue;
    const repeats = stages.every(({ startBytes, rounds, link }) => {
      const bytes = cycles * link.bytesPerCycle;
      for (let i = from; i <= last; i++) {
        if (startBytes[i]! - startBytes[i - packets]! !== bytes) return false;
        if (rounds[i] !== rounds[i - packets]) return false;
      }
      return true;
    });
    if (repeats) return { packets, cycles };
  }
  return null;
}

/** Periods that a train skips, and the parts of the network that it changes. */
export interface TrainJump {
  readonly period: TrainPeriod;
  /** Number of periods. */
  readonly count: number;
  /** Number of bytes of each packet. */
  readonly bytes: number;
  readonly from: number;
  readonly source: SourceQueue;
  readonly traffic: NetworkTraffic;
  /** Returns the cycles that a packet waited before a link. */
  readonly waitOf: (stage: TrainStage, packet: number) => number;
}

/** Moves all times by a number of periods, and counts the packets that are skipped. */
export function jumpPeriods({ stages, buffers }: RepeatingParts, jump: TrainJump): void {
  const { period, count, bytes, source, traffic } = jump;
  const cycles = count * period.cycles;
  for (const stage of stages) {
    const { link, from, ends } = stage;
    const packets = count * period.packets;
    let waitCycles = 0;
    for (let i = 1; i <= period.packets; i++) {
      waitCycles += count * jump.waitOf(stage, stage.sentCount - i);
    }
    if (from!.buffer === null) {
      // Packets of a message wait from its injection, so each period waits longer than the last.
      waitCycles += (period.packets * period.cycles * count * (count + 1)) / 2;
      source.leave(packets * bytes, source.lastByte + cycles * link.bytesPerCycle);
    }
    traffic.addPackets(link, from!.queue, { packets, bytes: packets * bytes, waitCycles });
    link.receivedBytes += packets * bytes * ends.length;
    const startByte = link.lastByteBySender.get(jump.from)!;
    link.lastByteBySender.set(jump.from, startByte + cycles * link.bytesPerCycle);
    link.freeByte += cycles * link.bytesPerCycle;
  }
  // Waits depend on the times of two links, so all of them move together.
  for (const stage of stages) stage.shift(cycles);
  for (const buffer of buffers) buffer.shift(cycles);
}
