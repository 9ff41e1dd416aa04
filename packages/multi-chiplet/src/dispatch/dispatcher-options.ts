/** What a `BinDispatcher` is given and what it reports. */
import type { BinResult, Chiplet } from '@tessera/frame';
import type { HostTrust } from './host-trust.ts';

/** Wall time. Without it no bin is given to a second host for being slow. */
export interface DispatchClock {
  readMs(): number;
  /** Calls back after a time; the result ends that. */
  startTimer(onElapsed: () => void, ms: number): () => void;
}

export interface BinDispatcherOptions {
  readonly clock?: DispatchClock | undefined;
  /** A bin was given to a second host since the first is slow. */
  readonly onHedge?: (() => void) | undefined;
  /** A host answered wrongly, failed at a bin that another one rendered, or is silent. */
  readonly onHostFault?: ((host: Chiplet, reason: string) => void) | undefined;
  /** A host gave a result that other hosts prove wrong. */
  readonly onLie?: ((host: Chiplet, reason: string) => void) | undefined;
  /** Two hosts gave the same result, or different ones. */
  readonly onComparison?: ((isSame: boolean) => void) | undefined;
  /** A bin is done, by this host. */
  readonly onDone?: ((host: Chiplet, result: BinResult) => void) | undefined;
  /** The trust in a host, the same object for all frames. By default all hosts are trusted. */
  readonly trustOf?: ((host: Chiplet) => HostTrust) | undefined;
  /**
   * Whether two trusted hosts have to render a bin; asked for each bin of a pass. Hosts must not be able to predict
   * it. By default none.
   */
  readonly chooseCheck?: (() => boolean) | undefined;
}
