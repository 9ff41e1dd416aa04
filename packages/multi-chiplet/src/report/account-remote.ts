/** Accesses of the memories of other chiplets, for the report. */
import type { Counters, RemoteLines, RemoteReport } from '@tessera/frame';
import type { SimulatedFrames } from '../simulated-time/simulated-frames.ts';

/** Returns the remote accesses of frames; null if every chiplet has copies. */
export function accountRemote({
  remote,
  machines,
}: Pick<SimulatedFrames, 'remote' | 'machines'>): RemoteReport | null {
  if (remote === null || machines === null) return null;
  const { reads, writes, bytes, textureBytes } = remote;
  return {
    reads,
    writes,
    bytes,
    textureBytes,
    lines: machines.map(({ counters }) => countLines(counters)),
  };
}

function countLines(counters: Counters): RemoteLines {
  const cached = counters['remote.lineHits'] ?? 0;
  const merged = counters['remote.linesMerged'] ?? 0;
  const fetched = counters['remote.readsRequested'] ?? 0;
  const wanted = cached + merged + fetched;
  return { wanted, cached, merged, fetched, hitRate: wanted === 0 ? null : cached / wanted };
}
