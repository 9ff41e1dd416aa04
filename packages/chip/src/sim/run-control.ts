/** Flags that modules set for the clock, and the clock's query whether the host wants a stop. */
export class RunControl {
  /** Whether the source of the pipeline has read all records so far, and more follow. */
  needsRecords: boolean = false;
  /** Whether the last module has completed the run. */
  isFinished: boolean = false;
  /** Whether the source sleeps until more records come. */
  isResting: boolean = false;
  /** Whether a bin was binned or has left in the cycle that ends. */
  hasEvent: boolean = false;
  /** Whether the source sleeps until more of a streamed visibility arrives. */
  isGated: boolean = false;
  /** Whether other chiplets may wake a module, so that it is no deadlock if all sleep. */
  isShared: boolean = false;

  /**
   * Whether the host wants the run to stop. The state of a stopped run is undefined until the next
   * run begins.
   */
  isStopped(): boolean {
    return false;
  }
}
