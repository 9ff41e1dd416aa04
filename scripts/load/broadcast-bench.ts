/**
 * `node scripts/load/broadcast-bench.ts`: measures the CPU time of the visibility chiplet's process
 * for a broadcast of 10 MB to four workers, which are separate processes on this host. Prints
 * medians. A broadcast is complete when all four have acknowledged it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import {
  DEFAULT_VISIBILITY_SWITCHES,
  type FrameBroadcast,
  makeCoarseBinGrid,
  sha256Hex,
} from '@tessera/frame';
import {
  acceptWebSockets,
  CrosslinkClient,
  CrosslinkServer,
  connectWebSocket,
  ResourceStore,
} from '@tessera/wire';

const WORKERS = 4;
const BROADCAST_BYTES = 10_000_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 4;
const PATH = '/crosslink';

/** 10 MB as one vertex buffer, or as the streams of 32 bins. */
const VARIANTS = { 'a buffer': BROADCAST_BYTES, 'visibility streams': 0 } as const;

const grid = makeCoarseBinGrid(1280, 720, 8, 4);
/** The same array in every round, so that only sending produces garbage. */
const bytes = new Uint8Array(BROADCAST_BYTES).fill(7);

function makeBroadcast(round: number, bufferBytes: number): FrameBroadcast {
  const binBytes = (BROADCAST_BYTES - bufferBytes) / (grid.columns * grid.rows);
  const bins = Array.from({ length: grid.columns * grid.rows }, (_, binId) =>
    bytes.subarray(binId * binBytes, (binId + 1) * binBytes),
  );
  const buffers =
    bufferBytes === 0
      ? []
      : [
          {
            sha256: sha256Hex(Uint8Array.of(round, round >> 8)),
            bytes,
          },
        ];
  return {
    frameId: `frame ${bufferBytes} ${round}`,
    frame: {
      commands: {
        sha256: sha256Hex(Uint8Array.of(0)),
        grid,
        spec: null,
        visibilityShader: 'minimal',
        visibilitySwitches: DEFAULT_VISIBILITY_SWITCHES,
        earlyBinId: null,
        timing: 'functional',
        buffers: buffers.map(({ sha256 }) => sha256),
        textures: [],
        programs: [],
        passes: [
          { clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 }, draws: [], contents: null },
        ],
      },
      buffers,
      textures: [],
      programs: [],
    },
    visibility: { passIndex: 0, bins },
  };
}

async function runWorker(url: string, chipletId: number): Promise<void> {
  const client = new CrosslinkClient({
    chipletId,
    resources: new ResourceStore(4 * BROADCAST_BYTES),
    sink: { receiveBroadcast: () => {}, releaseFrame: () => {} },
    onJoined: () => {},
  });
  const connection = await connectWebSocket(url, 'crosslink-client', 5000);
  client.attach(connection);
  await connection.closed;
  process.exit(0);
}

async function runBench(): Promise<void> {
  let acknowledge: () => void = () => {};
  const crosslink = new CrosslinkServer({
    heartbeatMs: 60_000,
    heartbeatSilentLimit: 3,
    onAcknowledged: () => acknowledge(),
    onLinkClosed: (peer, reason) => process.stderr.write(`${peer}: ${reason}\n`),
  });
  const server = createServer();
  const close = acceptWebSockets(server, PATH, 'crosslink-server', (connection) =>
    crosslink.attach(connection),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  for (let id = 1; id <= WORKERS; id++) fork(import.meta.filename, [url, String(id)]);
  while (crosslink.workerCount < WORKERS) await new Promise((resolve) => setTimeout(resolve, 20));

  process.stdout.write(
    `broadcast of ${BROADCAST_BYTES / 1e6} MB to ${WORKERS} workers, Node ${process.version}, ` +
      `load ${loadavg()[0]?.toFixed(1)}\n10 MB as              CPU ms median   CPU ms min   wall ms median\n`,
  );
  for (const [name, bufferBytes] of Object.entries(VARIANTS)) {
    const cpuMs: number[] = [];
    const wallMs: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const message = makeBroadcast(round + WARM_UP_ROUNDS, bufferBytes);
      const acknowledged = new Promise<void>((resolve) => {
        acknowledge = resolve;
      });
      const wallBefore = performance.now();
      const cpuBefore = process.cpuUsage();
      await crosslink.broadcast(message);
      await acknowledged;
      const { user, system } = process.cpuUsage(cpuBefore);
      crosslink.release(message.frameId);
      if (round < 0) continue;
      cpuMs.push((user + system) / 1000);
      wallMs.push(performance.now() - wallBefore);
    }
    const figures = [median(cpuMs), Math.min(...cpuMs), median(wallMs)];
    const [medianCpu, minCpu, medianWall] = figures.map((figure) => figure.toFixed(1));
    process.stdout.write(
      `${name.padEnd(21)} ${medianCpu!.padStart(13)} ${minCpu!.padStart(12)} ${medianWall!.padStart(16)}\n`,
    );
  }
  close();
  server.close();
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

const [url, chipletId] = process.argv.slice(2);
if (url === undefined) await runBench();
else await runWorker(url, Number(chipletId));
