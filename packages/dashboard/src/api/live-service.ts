/**
 * State of the service from its event stream: queue, chiplets, frames, bins, studies, a cluster.
 * The page has one stream for everything. It is closed while the page is hidden, because a browser
 * permits few connections to a host.
 */
import type {
  ChipletLeft,
  ChipletStatus,
  ClusterStats,
  FinishedBin,
  FrameStatus,
  QueueLoad,
  Snapshot,
} from './types.ts';

/** State of the event stream. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

interface LiveTopics {
  connection: ConnectionState;
  /** The queue or the chiplets changed. */
  load: undefined;
  frame: FrameStatus;
  bin: FinishedBin;
  study: unknown;
  cluster: ClusterStats;
  /** Events may have been missed, so everything shown must be loaded again. */
  snapshot: Snapshot;
}

type Listener<Topic extends keyof LiveTopics> = (body: LiveTopics[Topic]) => void;

/** Delay between two attempts after the browser has given up. */
const RETRY_MS = 2000;

/** State of the service, with a listener per topic. */
export class LiveService {
  queue: QueueLoad = { waiting: 0, running: 0 };
  readonly chipletById = new Map<number, ChipletStatus>();
  /** Numbers of the cluster; null before the first event, and for a service of one machine. */
  cluster: ClusterStats | null = null;
  connection: ConnectionState = 'connecting';
  readonly #path: string;
  readonly #listeners = new Map<keyof LiveTopics, Set<Listener<never>>>();
  #source: EventSource | null = null;
  #isStopped = false;

  /** @param path Path of the stream. */
  constructor(path: string) {
    this.#path = path;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#close();
      else this.#open();
    });
    this.#open();
  }

  /** Calls `listener` for each event until `signal` is aborted. */
  on<Topic extends keyof LiveTopics>(
    topic: Topic,
    listener: Listener<Topic>,
    signal: AbortSignal,
  ): void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    signal.addEventListener('abort', () => listeners.delete(listener));
  }

  /** Returns the chiplets, sorted by number. */
  chiplets(): ChipletStatus[] {
    return [...this.chipletById.values()].sort((a, b) => a.id - b.id);
  }

  /** Closes the stream permanently. */
  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  #open(): void {
    if (this.#source !== null || this.#isStopped) return;
    const source = new EventSource(this.#path);
    this.#source = source;
    const listen = <T>(name: string, take: (body: T) => void) =>
      source.addEventListener(name, (event) => take(JSON.parse(event.data) as T));
    source.addEventListener('open', () => this.#setConnection('open'));
    source.addEventListener('error', () => {
      this.#setConnection('lost');
      // The browser reconnects by itself unless the answer was an error.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#close();
      setTimeout(() => !document.hidden && this.#open(), RETRY_MS);
    });
    listen<Snapshot>('snapshot', (snapshot) => {
      this.queue = snapshot.queue;
      this.chipletById.clear();
      for (const chiplet of snapshot.chiplets) this.chipletById.set(chiplet.id, chiplet);
      this.#publish('load', undefined);
      this.#publish('snapshot', snapshot);
      if (snapshot.cluster !== undefined) this.#takeCluster(snapshot.cluster);
    });
    listen<QueueLoad>('queue', (queue) => {
      this.queue = queue;
      this.#publish('load', undefined);
    });
    listen<ChipletStatus | ChipletLeft>('chiplet', (chiplet) => {
      if ('isConnected' in chiplet) this.chipletById.delete(chiplet.id);
      else this.chipletById.set(chiplet.id, chiplet);
      this.#publish('load', undefined);
    });
    listen<FrameStatus>('frame', (frame) => this.#publish('frame', frame));
    listen<FinishedBin>('bin', (bin) => this.#publish('bin', bin));
    listen<unknown>('study', (study) => this.#publish('study', study));
    listen<ClusterStats>('cluster', (stats) => this.#takeCluster(stats));
  }

  #close(): void {
    this.#source?.close();
    this.#source = null;
  }

  #takeCluster(stats: ClusterStats): void {
    this.cluster = stats;
    this.#publish('cluster', stats);
  }

  #setConnection(state: ConnectionState): void {
    if (this.connection === state) return;
    this.connection = state;
    this.#publish('connection', state);
  }

  #publish<Topic extends keyof LiveTopics>(topic: Topic, body: LiveTopics[Topic]): void {
    for (const listener of this.#listeners.get(topic) ?? []) (listener as Listener<Topic>)(body);
  }
}

/** Returns the id of the frame that a finished bin belongs to. */
export function frameOfBin(bin: FinishedBin): string {
  return bin.frameId.split('/', 1)[0]!;
}
