/** One connected chiplet in the registry, and what is shown of it. */
import type { ChipletId, ChipletMode, SpecSummary } from '@tessera/frame';
import type { HostTrust } from '@tessera/multi-chiplet/rendering';
import type { ChipletRole, Connection, MessageOf, RemoteChiplet } from '@tessera/wire';
import type { ChipletActivity, CurrentWork } from './chiplet-activity.ts';

/** What `/v1/chiplets` shows. */
export interface ChipletStatus {
  readonly id: ChipletId;
  readonly role: ChipletRole;
  readonly instance: string;
  /** What frames are simulated on that ask for nothing else. */
  readonly spec: SpecSummary;
  /** Names that a frame may ask for. */
  readonly presets: string[];
  readonly isReady: boolean;
  readonly mode: ChipletMode;
  /** What it works at; null when idle. */
  readonly current: CurrentWork | null;
  readonly pendingRequests: number;
  readonly binsDone: number;
  /** Simulated cycles of the bins and visibility phases that it did since it connected. */
  readonly cyclesDone: number;
  /** Wrong or needless answers, and failures at what others rendered, since it connected or was set aside. */
  readonly faults: number;
  /** Until when it gets no work, in milliseconds since 1970; null if it does. */
  readonly setAsideUntilMs: number | null;
  /** Whether its bins are used without another chiplet rendering each of them too. */
  readonly isTrusted: boolean;
  /** Number of bins that another chiplet rendered to the same result, since it connected or was quarantined. */
  readonly agreedBins: number;
}

/** What the registry keeps of a connected chiplet. */
export interface Registered {
  readonly id: ChipletId;
  readonly hello: MessageOf<'hello'>;
  readonly connection: Connection;
  readonly remote: RemoteChiplet;
  readonly activity: ChipletActivity;
  readonly trust: HostTrust;
  readonly lost: AbortController;
  isReady: boolean;
  faults: number;
  setAsideUntilMs: number | null;
  /** What it worked at when it was lost. */
  lostAt: CurrentWork | null;
}

/** What is shown of a chiplet. */
export function describeChiplet(registered: Registered): ChipletStatus {
  const { id, hello, isReady, remote, activity, faults, setAsideUntilMs, trust } = registered;
  return {
    id,
    role: hello.role,
    instance: hello.instance,
    spec: hello.spec,
    presets: hello.presets.map(({ name }) => name),
    isReady,
    mode: remote.mode,
    current: activity.current,
    pendingRequests: remote.pendingCount,
    binsDone: remote.binsDone,
    cyclesDone: activity.cyclesDone,
    faults,
    setAsideUntilMs,
    isTrusted: trust.isTrusted,
    agreedBins: trust.agreedBins,
  };
}
