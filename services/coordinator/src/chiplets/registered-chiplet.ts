/** Entry of a connected chiplet in the registry, and its public status. */
import type { ChipletId, ChipletMode } from '@tessera/frame';
import type { HostTrust } from '@tessera/multi-chiplet/rendering';
import type { ChipletRole, Connection, MessageOf, RemoteChiplet } from '@tessera/wire';
import type { ChipletActivity, CurrentWork } from './chiplet-activity.ts';

/** Status of a chiplet in `/v1/chiplets`. */
export interface ChipletStatus {
  readonly id: ChipletId;
  readonly role: ChipletRole;
  readonly instance: string;
  readonly isReady: boolean;
  readonly mode: ChipletMode;
  /** Work in progress; null when idle. */
  readonly current: CurrentWork | null;
  readonly pendingRequests: number;
  readonly binsDone: number;
  /** Simulated cycles of its bins and visibility phases since it connected. */
  readonly cyclesDone: number;
  /**
   * Number of wrong or unexpected answers, and of failed bins that others completed, since it
   * connected or was last suspended.
   */
  readonly faults: number;
  /** End of the suspension, in milliseconds since 1970; null if it is not suspended. */
  readonly setAsideUntilMs: number | null;
  /** Whether its bins are used without a second chiplet rendering each of them. */
  readonly isTrusted: boolean;
  /**
   * Number of bins that another chiplet rendered with the same result, since it connected or was
   * quarantined.
   */
  readonly agreedBins: number;
}

/** Connected chiplet. */
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
  /** Work in progress when the chiplet was lost. */
  lostAt: CurrentWork | null;
}

/** Returns the public status of a chiplet. */
export function describeChiplet(registered: Registered): ChipletStatus {
  const { id, hello, isReady, remote, activity, faults, setAsideUntilMs, trust } = registered;
  return {
    id,
    role: hello.role,
    instance: hello.instance,
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
