/** Local memory as the units see it: a fixed latency and a bandwidth that all requests share, in order. */
import type { ChipletSpec } from '../chiplet-spec.ts';

export class MemoryPort {
  /** Bytes read in the run. */
  bytesRead = 0;
  private readonly latencyCycles: number;
  private readonly bytesPerCycle: number;
  private freeAt = 0;

  constructor(spec: ChipletSpec) {
    this.latencyCycles = spec.memoryLatencyCycles;
    this.bytesPerCycle = spec.dramChannels * spec.dramBytesPerCycle;
  }

  reset(): void {
    this.bytesRead = 0;
    this.freeAt = 0;
  }

  /** Requests `bytes` in `cycle`; returns the cycle in which the last one is there. */
  request(cycle: number, bytes: number): number {
    this.bytesRead += bytes;
    const start = cycle > this.freeAt ? cycle : this.freeAt;
    this.freeAt = start + Math.ceil(bytes / this.bytesPerCycle);
    return this.freeAt + this.latencyCycles;
  }
}
