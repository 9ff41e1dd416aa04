/** Flags that modules set for the clock, and what the clock asks of the world outside of the simulated chip. */
export class RunControl {
  /** The source of the pipeline has read all records there are, and more are to come. */
  needsRecords: boolean = false;
  /** The last module is done with the run. */
  isFinished: boolean = false;

  /** Whether the run is to stop, because nobody waits for it any more. Its state is undefined until the next run begins. */
  isStopped(): boolean {
    return false;
  }
}
