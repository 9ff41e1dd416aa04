/** Flags that modules set for the clock. */
export class RunControl {
  /** The source of the pipeline has read all records there are, and more are to come. */
  needsRecords: boolean = false;
  /** The last module is done with the run. */
  isFinished: boolean = false;
}
