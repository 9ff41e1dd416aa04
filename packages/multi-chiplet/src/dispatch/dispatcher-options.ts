/** Options and events of a `BinDispatcher`. */
import type { BinResult, Chiplet } from '@tessera/frame';
import type { HostTrust } from './host-trust.ts';

/** Clock for wall time. Without one, no bin goes to a second host for being slow. */
export interface DispatchClock {
  readMs(): number;
  /** Calls back after `ms` milliseconds. The returned function cancels the timer. */
  startTimer(onElapsed: () => void, ms: number): () => void;
}

/** Options of a dispatcher; all are optional. */
export interface BinDispatcherOptions {
  readonly clock?: DispatchClock | undefined;
  /** Called when a bin is given to a second host because the first one is slow. */
  readonly onHedge?: (() => void) | undefined;
  /**
   * Called when a host answers incorrectly, fails at a bin that another host rendered, or does not
   * answer.
   */
  readonly onHostFault?: ((host: Chiplet, reason: string) => void) | undefined;
  /** Called when other hosts prove the result of a host wrong. */
  readonly onLie?: ((host: Chiplet, reason: string) => void) | undefined;
  /** Called when two hosts rendered the same bin: whether their results are equal. */
  readonly onComparison?: ((isSame: boolean) => void) | undefined;
  /** Called when a bin is done, with the host whose result was used. */
  readonly onDone?: ((host: Chiplet, result: BinResult) => void) | undefined;
  /**
   * Returns the trust in a host, the same object for all frames. By default all hosts are trusted.
   */
  readonly trustOf?: ((host: Chiplet) => HostTrust) | undefined;
  /**
   * Called for each bin of a pass: whether two trusted hosts must render it. Hosts must not be able
   * to predict the answer. By default no bin is checked.
   */
  readonly chooseCheck?: (() => boolean) | undefined;
}
