/**
 * Work of a cluster: batches of units that gateways submit and cells claim in chunks. The engine
 * knows no frames. A unit is a name, the hash of what must be rendered, and its result is a digest
 * with the hashes of its files.
 */

/** Priority classes. Interactive units are claimed before all others. */
export const WORK_CLASSES = ['interactive', 'study'] as const;
/** Priority class of a batch. */
export type WorkClass = (typeof WORK_CLASSES)[number];

/** States of a batch. */
export const BATCH_STATES = ['open', 'done', 'cancelled'] as const;
/** State of a batch. */
export type BatchState = (typeof BATCH_STATES)[number];

/** States of a unit. */
export const UNIT_STATES = ['open', 'done', 'failed', 'cancelled'] as const;
/** State of a unit in its batch. */
export type UnitState = (typeof UNIT_STATES)[number];

/** Share and limits of a tenant. */
export interface Tenant {
  readonly name: string;
  /** Share of the cells relative to other tenants with waiting work; above 0. */
  readonly weight: number;
  /** Upper bound on the tenant's open units. */
  readonly maxQueuedUnits: number;
}

/** Unit of a new batch. */
export interface NewUnit {
  /** Hash of what must be rendered; see {@link unitKeyOf}. */
  readonly key: string;
  /** SHA-256 of the largest file that the unit needs. Cells that hold it are preferred. */
  readonly blob: string;
}

/** Batch before it is submitted. */
export interface NewBatch {
  /** UUID that the caller chose, so that a repeated submission does nothing. */
  readonly id: string;
  readonly tenant: Tenant;
  readonly workClass: WorkClass;
  /** Version of the simulator. Only cells of the same version claim the units. */
  readonly version: string;
  readonly title: string;
  /** JSON from which a cell derives each unit by its position. */
  readonly request: object;
  /** Key that a client gave the request; unique for the tenant. */
  readonly idempotencyKey: string | null;
  /** Units by position. Units with the same blob should be neighbors. */
  readonly units: readonly NewUnit[];
}

/** Submitted batch. */
export interface Batch {
  readonly id: string;
  readonly tenant: string;
  readonly workClass: WorkClass;
  readonly version: string;
  readonly title: string;
  readonly request: unknown;
  readonly state: BatchState;
  readonly submittedMs: number;
  readonly finishedMs: number | null;
  readonly unitCount: number;
  /** Numbers of units that are done and that failed. */
  readonly doneCount: number;
  readonly failedCount: number;
  /** Wall time that cells spent on the finished units. */
  readonly wallMs: number;
}

/** Result of a unit: it depends on the unit's name alone. */
export interface UnitResult {
  /** SHA-256 of everything in the result that is determined by the unit's name. */
  readonly digest: string;
  /** Hashes and lengths of the result's files, and what lists show. */
  readonly summary: object;
}

/** Error of a unit. */
export interface UnitError {
  readonly code: string;
  readonly message: string;
}

/** Unit in a batch. */
export interface BatchUnit {
  readonly position: number;
  readonly key: string;
  readonly state: UnitState;
  readonly error: UnitError | null;
  /** Result; null unless the unit is done. */
  readonly result: UnitResult | null;
  /** Name of the cell that finished the unit; null if none did. */
  readonly cell: string | null;
}

/** Cell that asks for work. */
export interface CellClaim {
  /** Name of the cell, unique in the cluster. */
  readonly cell: string;
  readonly version: string;
  readonly classes: readonly WorkClass[];
  /** Hashes of the files that the cell holds. */
  readonly heldBlobs: readonly string[];
  /** Wall time that the chunk should take. */
  readonly targetMs: number;
}

/** Result that another batch has obtained, with the rows of its unit. */
export interface KnownResult extends UnitResult {
  readonly rows: readonly object[];
}

/** Unit that a cell renders. */
export interface ClaimedUnit {
  readonly position: number;
  readonly key: string;
  /** Result that another batch has obtained already; null if the unit must be rendered. */
  readonly known: KnownResult | null;
}

/** Run of neighboring units that a cell claimed. */
export interface Chunk {
  /** UUID of the claim. */
  readonly id: string;
  readonly batch: Pick<Batch, 'id' | 'tenant' | 'workClass' | 'title' | 'request'>;
  readonly units: readonly ClaimedUnit[];
  /** Whether another cell is rendering the same units, so that no claim is held. */
  readonly isHedge: boolean;
}

/** Outcome of a unit that a cell rendered. */
export interface UnitOutcome {
  readonly position: number;
  readonly key: string;
  /** Result, or the error of a unit that failed. */
  readonly result: UnitResult | UnitError;
  /**
   * Whether every cell would obtain this outcome. An error of circumstances, such as a timeout,
   * fails the unit in its batch and is not kept under its name.
   */
  readonly isDetermined: boolean;
  /** Rows of the study; empty for frames. */
  readonly rows: readonly object[];
  /** Share of the cell's wall time. */
  readonly wallMs: number;
}

/** Two results of one unit that differ, which a deterministic simulator never gives. */
export interface Violation {
  readonly key: string;
  readonly digests: readonly [string, string];
  readonly cells: readonly [string, string];
}

/** State of a cell's claims after a beat. */
export interface BeatReply {
  /** Chunks that the cell does not hold any more: cancelled, or given to another cell. */
  readonly lostChunks: readonly string[];
}

/** Cell that has been heard of lately. */
export interface CellStatus {
  readonly name: string;
  readonly version: string;
  readonly lastBeatMs: number;
  /** Units in the claimed chunks. */
  readonly unitsInHand: number;
}

/** Numbers of a cluster. */
export interface EngineStats {
  readonly waitingUnits: number;
  readonly runningUnits: number;
  readonly resultCount: number;
  readonly violationCount: number;
  readonly cells: readonly CellStatus[];
  readonly tenants: readonly {
    readonly name: string;
    readonly openUnits: number;
    /** Estimated wall time claimed so far, divided by the weight. */
    readonly virtualMs: number;
  }[];
}

/** Filter of a list of batches. */
export interface BatchFilter {
  readonly tenant: string;
  readonly workClass: WorkClass;
  readonly limit: number;
}

/** Filter of a list of units. */
export interface UnitFilter {
  /** First position. */
  readonly from: number;
  readonly limit: number;
  /** State of the listed units; all states by default. */
  readonly state?: UnitState | undefined;
}

/**
 * Work of a cluster. Every method rejects with `EngineUnavailableError` while the database is away.
 */
export interface WorkEngine {
  /**
   * Submits a batch. When this resolves, the batch is durable. Does nothing if its id exists.
   *
   * @throws {QuotaExceededError} If the tenant would have more open units than it may.
   */
  submit(batch: NewBatch): Promise<void>;
  /**
   * Claims units, or repeats late units of another cell. Returns null if there is nothing to do.
   */
  claim(claim: CellClaim): Promise<Chunk | null>;
  /**
   * Keeps the claims of a cell. A chunk without a beat for ten seconds goes to another cell.
   *
   * @param inProgress Positions of the units that are being rendered, by chunk.
   */
  beat(
    cell: string,
    version: string,
    inProgress: ReadonlyMap<string, readonly number[]>,
  ): Promise<BeatReply>;
  /**
   * Stores outcomes and ends the claim when all units of the chunk are over, in one transaction.
   * Keeps the first result of each unit. Returns those that differ from it.
   */
  finish(cell: string, chunkId: string, outcomes: readonly UnitOutcome[]): Promise<Violation[]>;
  /** Gives a chunk back, so that another cell claims its open units at once. */
  giveBack(chunkId: string): Promise<void>;
  /** Cancels the open units of a batch. Returns false if no batch has this id. */
  cancel(batchId: string): Promise<boolean>;
  batch(id: string): Promise<Batch | null>;
  findByKey(tenant: string, idempotencyKey: string): Promise<Batch | null>;
  /** Returns the newest batches, newest first. */
  batches(filter: BatchFilter): Promise<Batch[]>;
  /** Returns up to `limit` units from a position on, by position. */
  units(batchId: string, filter: UnitFilter): Promise<BatchUnit[]>;
  /** Returns the rows of up to `limit` finished units from a position on, by position. */
  rows(
    batchId: string,
    from: number,
    limit: number,
  ): Promise<{ readonly position: number; readonly rows: readonly object[] }[]>;
  /** Counts a blob of a tenant once, however often the tenant sends it. */
  addBlob(tenant: string, sha256: string, bytes: number): Promise<void>;
  /** Returns the bytes of all blobs of a tenant. */
  blobBytes(tenant: string): Promise<number>;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  violations(limit: number): Promise<Violation[]>;
  stats(): Promise<EngineStats>;
  close(): Promise<void>;
}
