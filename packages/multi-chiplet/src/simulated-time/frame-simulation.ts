/**
 * One or more frames over many chiplets in simulated time: a discrete-event simulation whose bins
 * and phases take the cycles that were measured. The order of the code is the life of a frame:
 *
 *     take the frame ─► commands, resources ─► uploads ─► visibility phase
 *                           (broadcast)         (all)      (chiplet 0, or several)
 *                    ─► assign bins, stream ─► bins, resolve ─► pixels to chiplet 0 ─► copies
 *                           (broadcast)        (all)       (crosslink)      (chiplet 0)
 *
 * Streamed visibility is sent in segments during its phase, and each chiplet may start a bin then.
 * Other organizations (organization.ts) differ in who runs the phase and in what is sent.
 *
 * The simulation does not depend on the hosts that rendered the bins in wall time, on processes or
 * on their speed. In one cycle, arrivals come before decisions, and decisions are made in the order
 * of chiplet numbers. The broker of a pull queue serves chiplet 0 last.
 *
 * It is one file because all steps decide on the same state.
 */
import { type ChipletId, type LinkTransferKind, RenderError } from '@tessera/frame';
import { DEFAULT_PLACEMENT } from '@tessera/frame/placement';
import { type AssignmentCost, assignmentCost } from '../bin-assignment/assignment-cost.ts';
import { BinHistory } from '../bin-assignment/bin-history.ts';
import { orderLongestFirst } from '../bin-assignment/dynamic-policies.ts';
import { BIN_ASSIGNMENT_POLICIES, type PolicyEntry } from '../bin-assignment/policies.ts';
import type { TransferLabel } from '../interconnect/crosslink-model.ts';
import { BinBroker } from './bin-broker.ts';
import type { ChipletWork } from './chiplet-work.ts';
import { CopyEngines } from './copy-engines.ts';
import { EventQueue } from './event-queue.ts';
import type { FrameLink } from './frame-link.ts';
import {
  type FrameMeasurement,
  isRecorded,
  isTimed,
  type PassMeasurement,
  visibilityPartsOf,
} from './frame-measurement.ts';
import type { LayerMerging, LayerMergingOptions } from './layer-merging.ts';
import { orderFirstBins, takeFirstBin } from './order-first-bins.ts';
import {
  DEFAULT_ORGANIZATION,
  listVisibilityRuns,
  type Organization,
  ownerOfBin,
} from './organization.ts';
import { predictBins } from './predict-bins.ts';
import { ResourceDelivery } from './resource-delivery.ts';
import { SegmentArrivals } from './segment-arrivals.ts';
import type { SimulatedFrames, SimulationOptions } from './simulated-frames.ts';
import {
  accountOf,
  arrivalOf,
  type FirstBins,
  type FrameState,
  hasArrived,
  NEVER,
  type PartState,
  type PassState,
  type Readiness,
  readyCycle,
} from './simulation-state.ts';
import { TargetDelivery } from './target-delivery.ts';
import { TargetHolders } from './target-holders.ts';

/**
 * Share of the prediction error that is corrected per frame. After a cut in the scene, two frames
 * reduce the error to a quarter.
 */
const HISTORY_DAMPING = 0.5;

const LINE_BYTES = 64;

/** Ways in which a simulation times its transfers and the work of its chiplets. */
export interface SimulationTiming {
  readonly makeLink: (
    frames: readonly FrameMeasurement[],
    isTimed: boolean,
    options: SimulationOptions,
    events: EventQueue,
  ) => FrameLink;
  readonly makeWork: (
    frames: readonly FrameMeasurement[],
    isTimed: boolean,
    options: SimulationOptions,
    events: EventQueue,
    link: FrameLink,
  ) => ChipletWork;
  /** Creates what composes layers; missing if no frame has any, as in browsers. */
  readonly makeMerging?: (options: LayerMergingOptions) => LayerMerging;
}

/** One run of the simulation. */
export class FrameSimulation {
  readonly #frames: readonly FrameMeasurement[];
  readonly #options: SimulationOptions;
  readonly #organization: Organization;
  readonly #policy: PolicyEntry;
  readonly #isTimed: boolean;
  readonly #events = new EventQueue();
  readonly #link: FrameLink;
  readonly #work: ChipletWork;
  /**
   * Broker of pull queues for chiplets that run on; null for others, which pull without messages.
   */
  readonly #broker: BinBroker | null;
  readonly #copyEngines: CopyEngines;
  readonly #history = new BinHistory(HISTORY_DAMPING);
  readonly #delivery: ResourceDelivery;
  /** Holders of pixels, and the transfers of those that stay where they were drawn. */
  readonly #holders: TargetHolders;
  readonly #targets: TargetDelivery;
  /** Composes layers; null if no frame can have any. */
  readonly #merging: LayerMerging | null;
  /** Whether all chiplets get the streams, which are otherwise in shared memory. */
  readonly #areStreamsCopied: boolean;
  readonly #rendererIds: readonly ChipletId[];
  /** Number of chiplets that may run a part of a visibility phase. */
  readonly #visibilityCount: number;
  readonly #isBusy: boolean[];
  /**
   * Chiplets that found no bin and have got no data since, so they are not examined again. Chiplets
   * of visibility phases, and those with a broker, have other reasons to wait, so they are always
   * examined.
   */
  readonly #isWaiting: boolean[];
  /** Predicted cycles of each chiplet's unfinished bins. */
  readonly #pendingCycles: number[];
  /** Frames that were taken, in order. */
  readonly #taken: FrameState[] = [];
  /**
   * Frames of `#taken` that are not complete, in order: at most `framesInFlight`. Only these have
   * work.
   */
  #unfinished: FrameState[] = [];
  #inFlight = 0;
  #now = 0;

  /** @param timing Ways of timing that fit the frames. */
  constructor(
    frames: readonly FrameMeasurement[],
    options: SimulationOptions,
    timing: SimulationTiming,
  ) {
    const { chipletCount, isVisibilityChipletRendering, policy } = options;
    const { organization = DEFAULT_ORGANIZATION } = options;
    const ids = Array.from({ length: chipletCount }, (_, id) => id);
    this.#frames = frames;
    this.#options = options;
    this.#organization = organization;
    this.#policy = BIN_ASSIGNMENT_POLICIES[policy];
    this.#isTimed = frames.every(isTimed);
    this.#link = timing.makeLink(frames, this.#isTimed, options, this.#events);
    this.#work = timing.makeWork(frames, this.#isTimed, options, this.#events, this.#link);
    const { placement = DEFAULT_PLACEMENT, interconnect } = options;
    this.#areStreamsCopied = placement.streams === 'replicated' || chipletCount === 1;
    this.#copyEngines = new CopyEngines(chipletCount, placement);
    const [link, copyEngines] = [this.#link, this.#copyEngines];
    const delivered = { link, copyEngines, interconnect, placement, chipletCount };
    this.#delivery = new ResourceDelivery(delivered);
    const { latencyCycles } = interconnect;
    this.#holders = new TargetHolders(options.placement, chipletCount);
    const [events, holders] = [this.#events, this.#holders];
    this.#targets = new TargetDelivery({ ...delivered, events, holders, latencyCycles });
    this.#rendererIds = isVisibilityChipletRendering ? ids : ids.slice(1);
    const partCounts = frames.flatMap(({ passes }) =>
      passes.map((pass) => visibilityPartsOf(pass).length),
    );
    const isBinned = organization === 'binned';
    this.#visibilityCount = Math.min(
      chipletCount,
      isBinned ? Math.max(...partCounts) : chipletCount,
    );
    const hasQueue = organization === 'binned' || organization === 'split-frame';
    const pulls =
      hasQueue && this.#policy.assign === null && this.#isTimed && frames.some(isRecorded);
    this.#broker = pulls ? new BinBroker(interconnect.latencyCycles, chipletCount) : null;
    if (this.#rendererIds.length === 0) throw new Error('simulation: no chiplet renders bins');
    requireLayers(frames, organization, chipletCount);
    this.#merging =
      timing.makeMerging?.({
        ...{ link, events, copyEngines, chipletCount },
        rates: this.#isTimed ? (options.compositionRates ?? null) : null,
        onPlaced: (pass, binId) => this.#storeComposed(pass, binId),
      }) ?? null;
    this.#isBusy = ids.map(() => false);
    this.#isWaiting = ids.map(() => false);
    this.#pendingCycles = ids.map(() => 0);
  }

  /** Yields after each cycle with an event. {@link result} is complete when it ends. */
  *run(): Generator<void, void> {
    for (let cycle: number | undefined = 0; cycle !== undefined; ) {
      this.#now = cycle;
      while (this.#events.nextCycle === cycle) this.#events.applyNext();
      this.#broker?.beginDue(cycle);
      this.#takeFrames();
      this.#giveWork();
      yield* this.#findEvents();
      cycle = this.#events.nextCycle;
      yield;
    }
    if (this.#taken.length < this.#frames.length || this.#inFlight > 0) {
      throw new Error('simulation: a pass waits for an event that never occurs');
    }
  }

  /**
   * Adds all events up to the next one. The network can be simulated up to the next event of the
   * chiplets, and chiplets up to the next arrival.
   */
  *#findEvents(): Generator<void, void> {
    for (;;) {
      yield* this.#work.findEvents(this.#link.nextCycle);
      if (this.#link.nextCycle > (this.#events.nextCycle ?? Number.MAX_SAFE_INTEGER)) return;
      this.#link.advance();
    }
  }

  get result(): SimulatedFrames {
    return {
      clock: this.#isTimed ? 'cycles' : 'estimate',
      frames: this.#taken.map(accountOf),
      transfers: this.#link.transfers,
      machines: this.#work.finish(),
      remote: this.#work.traffic,
      channels: this.#link.channels,
    };
  }

  // 1. Frames start in order. Commands and missing resources are sent immediately.

  #takeFrames(): void {
    const { overlap, framesInFlight } = this.#options;
    const limit = overlap === 'none' ? 1 : framesInFlight;
    while (this.#inFlight < limit && this.#taken.length < this.#frames.length) this.#takeFrame();
  }

  #takeFrame(): void {
    const frameIndex = this.#taken.length;
    const { passes } = this.#frames[frameIndex]!;
    const commandBytes = passes.reduce((sum, pass) => sum + pass.commandBytes, 0);
    const commandsAt = this.#broadcast('commands', frameIndex, null, commandBytes);
    const frame: FrameState = {
      frameIndex,
      startCycle: this.#now,
      passes: [],
      passesMissing: passes.length,
      endCycle: NEVER,
    };
    for (const [passIndex, measurement] of passes.entries()) {
      const never = commandsAt.map(() => NEVER);
      const runs = this.#listRuns(measurement, frameIndex);
      const pass: PassState = {
        frame,
        passIndex,
        measurement,
        visibilityStart: NEVER,
        visibilityEnd: NEVER,
        visibilityParts: runs.map((run) => ({
          ...run,
          startCycle: NEVER,
          endCycle: NEVER,
          streamAt: never,
        })),
        visibilityPartsMissing: runs.length,
        segments: this.#streamOf(measurement),
        firstBins: null,
        resourcesAt: [commandsAt],
        streamAt: [never],
        targetsAt: measurement.binsNeed.length === 0 ? [] : [never],
        areTargetsSent: measurement.binsNeed.length === 0,
        assignment: { steps: 0, cycles: 0 },
        prediction: 'none',
        predictedCycles: [],
        listByChiplet: [],
        sharedList: null,
        earlyBin: null,
        bins: [],
        binsMissing: (measurement.composition ?? measurement).bins.length,
        copies: [],
        endCycle: NEVER,
      };
      frame.passes.push(pass);
      if (measurement.composition !== undefined) this.#merging!.begin(pass);
      if (this.#options.areResourcesResident) continue;
      pass.resourcesAt = [commandsAt, ...this.#deliver('resources', pass)];
    }
    this.#taken.push(frame);
    this.#unfinished.push(frame);
    this.#inFlight++;
  }

  #listRuns(measurement: PassMeasurement, frameIndex: number) {
    const { chipletCount } = this.#options;
    return listVisibilityRuns(this.#organization, measurement, frameIndex, chipletCount);
  }

  /** Returns the arrivals of streamed visibility; null if it is not streamed. */
  #streamOf(measurement: PassMeasurement): SegmentArrivals | null {
    const parts = visibilityPartsOf(measurement).map(({ segments }) => segments);
    if (!parts.every((segments) => segments !== undefined)) return null;
    return new SegmentArrivals(parts, this.#options.chipletCount);
  }

  /** Delivers resources of a pass. Returns from when they can be read. */
  #deliver(kind: 'resources' | 'targets', pass: PassState): Readiness {
    return this.#delivery.deliver(kind, pass, this.#now, (id, cycle) => this.#wakeAt(id, cycle));
  }

  // 2. Idle chiplets get work.

  #giveWork(): void {
    const count = this.#isBusy.length;
    for (let turn = 0; turn < count; turn++) {
      // The broker serves chiplet 0 last.
      const id = this.#broker === null ? turn : (turn + 1) % count;
      if (this.#isBusy[id] || this.#isWaiting[id]) continue;
      if (id === 0) this.#giveFirstChipletWork();
      else if (id < this.#visibilityCount && this.#giveVisibility(id)) continue;
      else if (!this.#beginBin(id, isAny) && !this.#beginFirstBin(id)) {
        this.#isWaiting[id] = this.#broker === null && id >= this.#visibilityCount;
      }
    }
  }

  /** Gives another chiplet its part of the next visibility phase. Returns whether there is one. */
  #giveVisibility(chipletId: ChipletId): boolean {
    const pass = this.#nextVisibility(chipletId);
    if (pass === undefined) return false;
    if (this.#options.overlap === 'after-own-bins' && this.#hasBinsOf(chipletId)) return false;
    this.#beginVisibility(pass, chipletId);
    return true;
  }

  /** Whether a chiplet renders bins and some are left for it, ready or not. */
  #hasBinsOf(chipletId: ChipletId): boolean {
    if (!this.#rendererIds.includes(chipletId)) return false;
    return this.#unfinished.some(({ passes }) =>
      passes.some((pass) => (pass.sharedList ?? pass.listByChiplet[chipletId] ?? []).length > 0),
    );
  }

  /** Gives chiplet 0 a bin or the next visibility phase. */
  #giveFirstChipletWork(): void {
    const isRendering = this.#options.isVisibilityChipletRendering;
    const hasEarlyBin = this.#unfinished.some(({ passes }) =>
      passes.some(({ earlyBin }) => earlyBin !== null),
    );
    const pass = hasEarlyBin ? undefined : this.#nextVisibility(0);
    if (pass === undefined) {
      if (isRendering && !this.#beginBin(0, isAny)) this.#beginFirstBin(0);
      return;
    }
    if (isRendering && this.#options.overlap === 'after-own-bins') {
      if (this.#beginBin(0, (other) => this.#isOwnTo0(other, pass))) return;
      if (this.#hasUnreadyBins(pass)) return;
    }
    this.#beginVisibility(pass, 0);
  }

  /**
   * Whether chiplet 0 has bins of its own that are not ready yet. It renders them before it turns
   * to the next pass.
   */
  #hasUnreadyBins(next: PassState): boolean {
    return this.#unfinished.some(({ passes }) =>
      passes.some(
        (pass) =>
          (pass.listByChiplet[0]?.length ?? 0) > 0 ||
          ((pass.sharedList?.length ?? 0) > 0 && this.#isOwnTo0(pass, next)),
      ),
    );
  }

  /**
   * Whether chiplet 0 renders bins of a pass before the visibility phase of `next`. Assigned bins
   * are its own. It leaves a pull queue when the others finish the rest before they would have work
   * of `next`.
   */
  #isOwnTo0({ sharedList, predictedCycles }: PassState, next: PassState): boolean {
    const others = this.#rendererIds.length - 1;
    if (sharedList === null || others === 0) return true;
    const rest = sharedList.reduce((sum, binIndex) => sum + predictedCycles[binIndex]!, 0);
    return rest / others > this.#expectPreparation(next.frame.frameIndex, next);
  }

  /**
   * Estimates how long bins of a pass wait. Its visibility phase is expected to take as long as
   * that of the frame before.
   */
  #expectPreparation(frameIndex: number, { passIndex, measurement }: PassState): number {
    if (!this.#isTimed) return 0;
    const before = this.#taken[frameIndex - 1]?.passes[passIndex];
    const known = before?.measurement ?? measurement;
    const { policy, interconnect } = this.#options;
    const { cycles } = assignmentCost(policy, known.bins.length, this.#rendererIds.length);
    const visibilityCycles =
      known.visibilityCycles ?? (before === undefined ? 0 : lengthOf(before));
    return visibilityCycles + cycles + interconnect.latencyCycles;
  }

  // 3. The visibility phase.

  /** Returns the pass of which a chiplet can run a part of the visibility phase. */
  #nextVisibility(chipletId: ChipletId): PassState | undefined {
    for (const { passes } of this.#unfinished) {
      const next = passes.find((pass) => nextPart(pass, chipletId) >= 0);
      if (next === undefined) continue;
      if (readyCycle(next.resourcesAt, chipletId) > this.#now) continue;
      const isDone = (passIndex: number) => passes[passIndex]!.endCycle <= this.#now;
      const isPredecessorDone = next.passIndex === 0 || isDone(next.passIndex - 1);
      if (this.#options.overlap === 'none' && !isPredecessorDone) continue;
      const { visibilityNeeds } = next.measurement;
      if (!visibilityNeeds.every(isDone)) continue;
      if (visibilityNeeds.length > 0 && (chipletId > 0 || this.#holders.targets !== 'gathered')) {
        // The chiplet reads them as bins do.
        if (readyCycle(next.targetsAt, chipletId) > this.#now) continue;
      }
      return next;
    }
    return undefined;
  }

  #beginVisibility(pass: PassState, chipletId: ChipletId): void {
    this.#isBusy[chipletId] = true;
    const part = nextPart(pass, chipletId);
    pass.visibilityParts[part]!.startCycle = this.#now;
    const early = pass.measurement.bins.findIndex(({ isEarly }) => isEarly);
    if (pass.visibilityParts.every(({ startCycle }) => startCycle < NEVER)) this.#openStream(pass);
    const begin = () => this.#computeVisibility(pass, part, early);
    if (early < 0 || !this.#work.includesEarlyBin) begin();
    else this.#targets.fetch(pass, early, 0, this.#now, begin);
  }

  #computeVisibility(pass: PassState, partIndex: number, early: number): void {
    const part = pass.visibilityParts[partIndex]!;
    const { chipletId } = part;
    this.#work.beginVisibility(pass, partIndex, this.#now, {
      onFree: () => {
        if (chipletId === 0) this.#isBusy[0] = false;
        else this.#free(chipletId);
      },
      onSegment: (segment, startCycle) => {
        part.startCycle = startCycle;
        part.endCycle = this.#now;
        this.#sendSegment(pass, partIndex, segment);
      },
      onStream: (startCycle) => {
        if (pass.segments !== null) return;
        part.startCycle = startCycle;
        part.endCycle = this.#now;
        this.#sendPart(pass, partIndex);
      },
      onEarlyBin: (startCycle) => {
        this.#endBin(pass, early, 0, startCycle, 0);
      },
    });
  }

  /**
   * Sends the streams of a part to all other chiplets, which take those of all parts in order. The
   * only part of a phase is sent as soon as it is known, with the lists of bins.
   */
  #sendPart(pass: PassState, partIndex: number): void {
    const { measurement, frame, passIndex, visibilityParts } = pass;
    const part = visibilityParts[partIndex]!;
    const hasBins = measurement.bins.length > 0 || measurement.composition !== undefined;
    if (this.#organization !== 'binned' && hasBins) {
      this.#keepStreams(pass, part);
      return;
    }
    const end = () => {
      pass.visibilityPartsMissing--;
      if (pass.visibilityPartsMissing === 0) this.#endVisibility(pass);
    };
    if (visibilityParts.length === 1) {
      end();
      return;
    }
    const label: TransferLabel = {
      ...{ kind: 'streams', frameIndex: frame.frameIndex, passIndex, binIndex: null },
    };
    const { streamBytes } = visibilityPartsOf(measurement)[part.part]!;
    const arrivals = this.#isBusy.map(() => NEVER);
    part.streamAt = arrivals;
    const arrive = (id: ChipletId, cycle: number) => {
      arrivals[id] = cycle;
      this.#wakeAt(id, cycle);
      if (id === 0) this.#events.add(cycle, end);
    };
    this.#link.broadcast(label, streamBytes, this.#now, arrive, part.chipletId);
  }

  /**
   * Lets a chiplet that ran the whole phase begin its bins. All of them find the same lists.
   */
  #keepStreams(pass: PassState, { chipletId }: PartState): void {
    const isFirst = pass.visibilityPartsMissing === pass.visibilityParts.length;
    pass.visibilityPartsMissing--;
    this.#noteVisibility(pass);
    if (isFirst) {
      if (this.#rendererRuleOf(pass) === null) pass.assignment = this.#assignmentCostOf(pass);
      this.#assign(pass);
      pass.streamAt = [this.#isBusy.map(() => NEVER)];
      this.#sendTargets(pass.frame);
    }
    const listAt = this.#now + pass.assignment.cycles;
    pass.streamAt = [pass.streamAt[0]!.with(chipletId, listAt)];
    this.#wakeAt(chipletId, listAt);
    const isLayered = pass.measurement.composition !== undefined;
    if (isLayered && pass.visibilityPartsMissing === 0) this.#merging!.announce(pass, this.#now);
  }

  /** Notes the times of the runs that are over. */
  #noteVisibility(pass: PassState): void {
    const ended = pass.visibilityParts.filter(({ endCycle }) => endCycle < NEVER);
    pass.visibilityStart = Math.min(...pass.visibilityParts.map(({ startCycle }) => startCycle));
    pass.visibilityEnd = Math.max(...ended.map(({ endCycle }) => endCycle));
  }

  /**
   * Sends a segment of a part to all other chiplets. The phase ends when chiplet 0 has the last one
   * of all parts.
   */
  #sendSegment(pass: PassState, partIndex: number, segment: number): void {
    const { measurement, frame, passIndex, visibilityParts } = pass;
    const part = visibilityParts[partIndex]!;
    const segments = visibilityPartsOf(measurement)[partIndex]!.segments!;
    const isLast = segment === segments.length - 1;
    const arrivals = this.#isBusy.map(() => NEVER);
    if (isLast) part.streamAt = arrivals;
    const take = (id: ChipletId) => {
      pass.segments!.arrive(partIndex, segment, id, this.#now);
      this.#isWaiting[id] = false;
      if (!isLast || id > 0) return;
      pass.visibilityPartsMissing--;
      if (pass.visibilityPartsMissing === 0) this.#endVisibility(pass);
    };
    const arrive = (id: ChipletId, cycle: number) => {
      arrivals[id] = cycle;
      if (cycle > this.#now) this.#events.add(cycle, () => take(id));
      else take(id);
    };
    const label: TransferLabel = {
      ...{ kind: 'streams', frameIndex: frame.frameIndex, passIndex, binIndex: null },
    };
    const bytes = this.#areStreamsCopied ? segments[segment]!.bytes : 0;
    this.#link.broadcast(label, bytes, this.#now, arrive, part.chipletId);
  }

  /**
   * Lets each chiplet start a bin of a pass whose visibility is streamed, as soon as all parts of
   * the phase have begun. The workload is not known yet. A static policy assigns all bins. With
   * others, a chiplet gets the bin with the largest cost in earlier frames, if a policy predicts
   * from them and all are known, or the one with the most entries so far.
   */
  #openStream(pass: PassState): void {
    const { bins } = pass.measurement;
    if (pass.segments === null || bins.length === 0) return;
    const { interconnect } = this.#options;
    const isStatic = this.#policy.prediction === 'none';
    pass.assignment = isStatic
      ? this.#assignmentCostOf(pass)
      : { steps: bins.length, cycles: this.#isTimed ? bins.length : 0 };
    const latency = this.#isTimed ? interconnect.latencyCycles : 0;
    const assigned = this.#now + pass.assignment.cycles;
    const listAt = this.#isBusy.map((_, id) => assigned + (id > 0 ? latency : 0));
    const ordered = orderFirstBins(pass.measurement, this.#policy, this.#history);
    const { bins: pool, isOrdered } = isStatic ? { bins: [], isOrdered: true } : ordered;
    pass.firstBins = { pool, isOrdered, begun: new Map(), chipletIds: new Set(), listAt };
    if (isStatic) this.#assign(pass);
    for (const [id, cycle] of listAt.entries()) this.#wakeAt(id, cycle);
  }

  /**
   * Starts a bin of the first pass that is not complete on a chiplet, if the pass's visibility is
   * arriving. A chiplet starts one such bin of a pass, and none if it runs a part of the phase,
   * which ends with the others. What a bin waits for has begun before it, so chiplets never wait
   * for each other.
   */
  #beginFirstBin(chipletId: ChipletId): boolean {
    if (!this.#rendererIds.includes(chipletId)) return false;
    for (const { passes } of this.#unfinished) {
      for (const pass of passes) {
        if (pass.visibilityEnd < NEVER) {
          const list = pass.sharedList ?? pass.listByChiplet[chipletId] ?? [];
          if (list.length > 0) return false;
          continue;
        }
        const { firstBins, segments } = pass;
        if (firstBins === null || firstBins.chipletIds.has(chipletId)) return false;
        if (pass.visibilityParts.some((part) => part.chipletId === chipletId)) return false;
        const list = pass.listByChiplet[chipletId] ?? firstBins.pool;
        const isReady =
          list.length > 0 &&
          firstBins.listAt[chipletId]! <= this.#now &&
          segments!.hasFirst(chipletId) &&
          readyCycle(pass.resourcesAt, chipletId) <= this.#now &&
          readyCycle(pass.targetsAt, chipletId) <= this.#now;
        if (!isReady) return false;
        firstBins.chipletIds.add(chipletId);
        const binIndex = takeFirstBin(pass, list, chipletId);
        if (pass.listByChiplet.length === 0) {
          firstBins.begun.set(binIndex, { chipletId, loadCycles: 0, hasEnded: false });
        }
        this.#broker?.adopt(chipletId, this.#now);
        this.#isBusy[chipletId] = true;
        this.#drawBin(pass, binIndex, chipletId);
        return true;
      }
    }
    return false;
  }

  /**
   * Sends the stream while chiplet 0 assigns the bins. The lists follow as a message of 0 bytes.
   * Streams of several parts were sent before.
   */
  #endVisibility(pass: PassState): void {
    const { measurement, frame, passIndex, visibilityParts } = pass;
    this.#noteVisibility(pass);
    if (measurement.bins.length === 0) {
      // Transform feedback ends here.
      this.#endPass(pass);
      return;
    }
    const streamsAt = visibilityParts.map(({ streamAt }) => streamAt);
    if (pass.listByChiplet.length > 0) {
      // A static policy has assigned the bins before.
      pass.streamAt = [...streamsAt, pass.firstBins!.listAt];
      this.#sendTargets(frame);
      return;
    }
    const { steps, cycles: assignmentCycles } = this.#assignmentCostOf(pass);
    pass.assignment = {
      steps: pass.assignment.steps + steps,
      cycles: pass.assignment.cycles + assignmentCycles,
    };
    this.#assign(pass);
    if (pass.segments === null && visibilityParts.length === 1) {
      const streamBytes = this.#areStreamsCopied ? measurement.streamBytes : 0;
      streamsAt[0] = this.#broadcast('streams', frame.frameIndex, passIndex, streamBytes);
    }
    const latency = this.#isTimed ? this.#options.interconnect.latencyCycles : 0;
    const assigned = this.#now + assignmentCycles;
    const listAt = this.#isBusy.map((_, id) => assigned + (id > 0 ? latency : 0));
    pass.streamAt = [...streamsAt, listAt];
    for (const [id, cycle] of listAt.entries()) this.#wakeAt(id, cycle);
    this.#sendTargets(frame);
  }

  #assignmentCostOf({ measurement }: PassState): AssignmentCost {
    const { policy } = this.#options;
    const cost = assignmentCost(policy, measurement.bins.length, this.#rendererIds.length);
    return this.#isTimed ? cost : { ...cost, cycles: 0 };
  }

  #assign(pass: PassState): void {
    const { bins, grid } = pass.measurement;
    predictBins(pass, this.#policy, this.#history);
    const rendererOf = this.#rendererRuleOf(pass);
    if (rendererOf !== null) {
      pass.listByChiplet = this.#isBusy.map(() => []);
      for (const binIndex of bins.keys()) {
        const chipletId = rendererOf(binIndex);
        pass.listByChiplet[chipletId]!.push(binIndex);
        this.#pendingCycles[chipletId]! += pass.predictedCycles[binIndex]!;
      }
      return;
    }
    const isRendering = this.#options.isVisibilityChipletRendering;
    const early = isRendering ? bins.findIndex(({ isEarly }) => isEarly) : -1;
    if (early >= 0) {
      if (!this.#work.includesEarlyBin) pass.earlyBin = early;
      this.#broker?.beginEarly();
      this.#pendingCycles[0]! += pass.predictedCycles[early]!;
    }
    const begun = pass.firstBins?.begun ?? NONE_BEGUN;
    this.#knowLoads(pass, begun);
    const indices = bins
      .map((_, binIndex) => binIndex)
      .filter((binIndex) => binIndex !== early && !begun.has(binIndex));
    const predicted = indices.map((binIndex) => ({
      binId: bins[binIndex]!.binId,
      predictedCycles: pass.predictedCycles[binIndex]!,
    }));
    if (this.#policy.assign === null) {
      pass.sharedList = orderLongestFirst(predicted).map((i) => indices[i]!);
      return;
    }
    const lists = this.#policy.assign({
      grid,
      bins: predicted,
      chipletIds: this.#rendererIds,
      initialLoads: this.#rendererIds.map((id) => this.#loadOf(id, pass)),
    });
    pass.listByChiplet = this.#isBusy.map(() => []);
    for (const { chipletId, binIndices } of lists) {
      const list = binIndices.map((i) => indices[i]!);
      pass.listByChiplet[chipletId] = list;
      for (const binIndex of list)
        this.#pendingCycles[chipletId]! += pass.predictedCycles[binIndex]!;
    }
  }

  /** Takes note of the predicted cycles of bins that have started before they were known. */
  #knowLoads({ predictedCycles }: PassState, begun: FirstBins['begun']): void {
    for (const [binIndex, bin] of begun) {
      if (bin.hasEnded) continue;
      bin.loadCycles = predictedCycles[binIndex]!;
      if (this.#policy.assign !== null) this.#pendingCycles[bin.chipletId]! += bin.loadCycles;
      else this.#broker?.addLoad(bin.chipletId, bin.loadCycles);
    }
  }

  /**
   * Returns which chiplet renders each bin of a pass, if the organization says it; null if the
   * policy does.
   */
  #rendererRuleOf(pass: PassState): ((binIndex: number) => ChipletId) | null {
    const { bins, grid, composition } = pass.measurement;
    switch (this.#organization) {
      case 'alternate-frame':
        return () => firstChipletOf(pass);
      case 'sort-last':
        return (binIndex) => {
          const { layer, binId } = bins[binIndex]!;
          if (composition !== undefined) return composition.chipletIds[layer!]!;
          return ownerOfBin(binId, grid.columns, this.#options.chipletCount);
        };
      default:
        return null;
    }
  }

  /**
   * Returns the unfinished cycles of a chiplet for earlier passes. Those of chiplet 0 include the
   * next visibility phase if it comes in between.
   */
  #loadOf(chipletId: ChipletId, pass: PassState): number {
    const { frame, passIndex } = pass;
    const pending = this.#pendingCycles[chipletId]!;
    const isLast =
      passIndex === frame.passes.length - 1 && frame.frameIndex === this.#frames.length - 1;
    const isAlone = this.#options.overlap === 'none' || isLast;
    if (chipletId > 0 || isAlone) return pending;
    return pending + this.#expectPreparation(frame.frameIndex + 1, pass);
  }

  // 4. Bins, resolved where they were rendered, and their pixels on the way back.

  /**
   * Starts the next ready bin of the oldest frame on a chiplet.
   *
   * @returns Whether there was one.
   */
  #beginBin(chipletId: ChipletId, isWanted: (pass: PassState) => boolean): boolean {
    for (const { passes } of this.#unfinished) {
      if (chipletId === 0 && this.#beginEarlyBin(passes)) return true;
      const pass = this.#nextBinPass(passes, chipletId, isWanted);
      if (pass === null) continue;
      const list = pass.sharedList ?? pass.listByChiplet[chipletId]!;
      this.#renderBin(pass, list.shift()!, chipletId);
      return true;
    }
    return false;
  }

  #beginEarlyBin(passes: readonly PassState[]): boolean {
    const early = passes.find(
      ({ earlyBin, targetsAt }) => earlyBin !== null && readyCycle(targetsAt, 0) <= this.#now,
    );
    if (early === undefined) return false;
    this.#renderBin(early, early.earlyBin!, 0);
    early.earlyBin = null;
    return true;
  }

  /** Returns the pass of a frame from which a chiplet gets its next bin; null if there is none. */
  #nextBinPass(
    passes: readonly PassState[],
    chipletId: ChipletId,
    isWanted: (pass: PassState) => boolean,
  ): PassState | null {
    let next: PassState | null = null;
    let nextCycles = 0;
    for (const pass of passes) {
      const list = pass.sharedList ?? pass.listByChiplet[chipletId];
      // Most chiplets have none in most cycles, so this comes first.
      if (list === undefined || list.length === 0) continue;
      if (!this.#isReady(pass, chipletId) || !isWanted(pass)) continue;
      // Lists are processed pass by pass. Of pull queues, the one with the costliest bin comes
      // first.
      const cycles = pass.sharedList === null ? 0 : pass.predictedCycles[list[0]!]!;
      // The broker decides by chiplet, whatever the pass.
      if (next === null && this.#broker?.mayGrant(chipletId, this.#now) === false) return null;
      if (next !== null && cycles <= nextCycles) continue;
      next = pass;
      nextCycles = cycles;
    }
    return next;
  }

  /**
   * Whether a chiplet may get a bin of a pass. A broker grants bins whose data may still be under
   * way, as soon as it has assigned the pass and sent its targets.
   */
  #isReady(pass: PassState, chipletId: ChipletId): boolean {
    if (this.#broker !== null) {
      return pass.areTargetsSent && readyCycle(pass.streamAt, 0) <= this.#now;
    }
    return hasArrived(pass, chipletId, this.#now);
  }

  #renderBin(pass: PassState, binIndex: number, chipletId: ChipletId): void {
    this.#isBusy[chipletId] = true;
    const begin = () => this.#drawBin(pass, binIndex, chipletId);
    if (this.#broker === null) {
      begin();
      return;
    }
    const predictedCycles = pass.predictedCycles[binIndex]!;
    const grantedCycle = this.#broker.grant(chipletId, predictedCycles, this.#now);
    this.#broker.add({ grantedCycle, dataCycle: () => arrivalOf(pass, chipletId), begin });
    this.#events.add(grantedCycle, () => {});
  }

  #drawBin(pass: PassState, binIndex: number, chipletId: ChipletId): void {
    const draw = () =>
      this.#work.beginBin(pass, binIndex, chipletId, this.#now, {
        onFree: () => this.#free(chipletId),
        onLeft: (startCycle, waitedCycles) =>
          this.#endBin(pass, binIndex, chipletId, startCycle, waitedCycles),
      });
    this.#targets.fetch(pass, binIndex, chipletId, this.#now, draw);
  }

  /** Lets a chiplet get its next bin, or sends its request to the broker. */
  #free(chipletId: ChipletId): void {
    const free = () => {
      this.#isBusy[chipletId] = false;
    };
    if (this.#broker === null) free();
    else this.#events.add(this.#broker.receivesAt(chipletId, this.#now), free);
  }

  #endBin(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    startCycle: number,
    waitedCycles: number,
  ): void {
    const { frame, passIndex, measurement } = pass;
    const endCycle = this.#now;
    const { isEarly, estimatedCycles } = measurement.bins[binIndex]!;
    const begun = pass.firstBins?.begun.get(binIndex);
    // It may have ended before the phase.
    const predictedCycles = pass.predictedCycles[binIndex] ?? estimatedCycles;
    const isAssigned =
      this.#policy.assign !== null ||
      this.#rendererRuleOf(pass) !== null ||
      (isEarly && chipletId === 0);
    const loadCycles = begun?.loadCycles ?? predictedCycles;
    if (begun !== undefined) begun.hasEnded = true;
    if (isAssigned) this.#pendingCycles[chipletId]! -= loadCycles;
    else this.#tellBroker(chipletId, loadCycles);
    if (isEarly) this.#broker?.endEarly();
    const workCycles = endCycle - startCycle - waitedCycles;
    this.#history.note(measurement.historyKey, binIndex, workCycles);
    const label = { kind: 'bins', frameIndex: frame.frameIndex, passIndex, binIndex } as const;
    const note = (arrivalCycle: number) => {
      pass.bins[binIndex] = {
        ...{ chipletId, startCycle, endCycle, arrivalCycle, predictedCycles },
        ...(waitedCycles === 0 ? {} : { waitedCycles }),
      };
    };
    const send = (cycle: number) => {
      if (pass.measurement.composition !== undefined) {
        note(cycle);
        this.#merging!.add(pass, binIndex, chipletId, cycle);
        return;
      }
      if (this.#isKept(pass)) {
        note(cycle);
        this.#placeBin(pass);
        return;
      }
      const bytes = this.#holders.sentBytesOf(pass, binIndex);
      this.#link.send(label, { from: chipletId, to: 0 }, bytes, cycle, (_id, arrivalCycle) => {
        note(arrivalCycle);
        this.#events.add(arrivalCycle, () => this.#storeBin(pass, binIndex));
      });
    };
    const resolvedCycle = this.#copyEngines.resolve(pass, endCycle, chipletId, binIndex);
    if (resolvedCycle === endCycle) send(endCycle);
    else this.#events.add(resolvedCycle, () => send(resolvedCycle));
  }

  /**
   * Whether chiplets keep what they draw in a pass: that of a whole frame if it is not shown, and
   * that of a group that they continue.
   */
  #isKept({ measurement }: PassState): boolean {
    if (this.#organization === 'alternate-frame') return !measurement.isShown;
    return measurement.group?.isContinued ?? false;
  }

  /** Stores a composed bin that has arrived in the memory of chiplet 0. */
  #storeComposed(pass: PassState, binId: number): void {
    const lines = Math.ceil(pass.measurement.composition!.bins[binId]!.resultBytes / LINE_BYTES);
    if (this.#isKept(pass)) this.#placeBin(pass);
    else this.#work.store(lines, this.#now, () => this.#placeBin(pass));
  }

  /** Lets the broker know that a bin has left its chiplet, when the message arrives. */
  #tellBroker(chipletId: ChipletId, predictedCycles: number): void {
    const broker = this.#broker;
    if (broker === null) return;
    this.#events.add(broker.receivesAt(chipletId, this.#now), () =>
      broker.end(chipletId, predictedCycles, this.#now),
    );
  }

  /** Stores a bin that has arrived in the memory of chiplet 0. */
  #storeBin(pass: PassState, binIndex: number): void {
    const lines = this.#holders.gatheredLinesOf(pass, binIndex);
    if (lines === 0) this.#placeBin(pass);
    else this.#work.store(lines, this.#now, () => this.#placeBin(pass));
  }

  #placeBin(pass: PassState): void {
    pass.binsMissing--;
    if (pass.binsMissing > 0) return;
    const holder = this.#organization === 'alternate-frame' ? firstChipletOf(pass) : null;
    const copiedAt = this.#targets.copy(pass, this.#now, holder);
    if (copiedAt === this.#now) this.#endPass(pass);
    else this.#events.add(copiedAt, () => this.#endPass(pass));
  }

  #endPass(pass: PassState): void {
    const { frame } = pass;
    pass.endCycle = this.#now;
    frame.passesMissing--;
    if (frame.passesMissing === 0) {
      frame.endCycle = this.#now;
      const last = frame.passes.at(-1)!;
      if (last.measurement.targets?.targetClass === 'framebuffer') {
        this.#targets.scanOut(last, this.#now);
      }
      this.#unfinished = this.#unfinished.filter((other) => other !== frame);
      this.#inFlight--;
    }
    const next = frame.passes[pass.passIndex + 1];
    if (next?.measurement.composition?.isContinuing) this.#merging!.open(next, this.#now);
    this.#sendTargets(frame);
  }

  /**
   * Sends the results of finished passes to all chiplets, for the passes that read them, or lets
   * them know where the results are.
   */
  #sendTargets({ passes }: FrameState): void {
    for (const pass of passes) {
      if (pass.areTargetsSent) continue;
      // Frames may have thousands of passes. The latest needed one usually ends last.
      const isMissing = (need: number) => passes[need]!.endCycle > this.#now;
      if (pass.measurement.binsNeed.findLast(isMissing) !== undefined) continue;
      pass.areTargetsSent = true;
      if (this.#organization === 'alternate-frame') {
        const chipletId = firstChipletOf(pass);
        pass.targetsAt = this.#delivery.keep(pass, this.#now, chipletId);
        this.#wakeAt(chipletId, readyCycle(pass.targetsAt, chipletId));
        continue;
      }
      pass.targetsAt =
        this.#holders.targets === 'gathered'
          ? this.#deliver('targets', pass)
          : this.#targets.announce(pass, this.#now, (id, cycle) => this.#wakeAt(id, cycle));
    }
  }

  /** Sends from chiplet 0 to all others. Returns the cycles of the arrivals, by chiplet. */
  #broadcast(
    kind: LinkTransferKind,
    frameIndex: number,
    passIndex: number | null,
    bytes: number,
  ): readonly number[] {
    const label = { kind, frameIndex, passIndex, binIndex: null };
    const arrivals = this.#isBusy.map(() => NEVER);
    this.#link.broadcast(label, bytes, this.#now, (chipletId, cycle) => {
      arrivals[chipletId] = cycle;
      this.#wakeAt(chipletId, cycle);
    });
    return arrivals;
  }

  /** Schedules new decisions for the cycle of an arrival on a chiplet. */
  #wakeAt(chipletId: ChipletId, cycle: number): void {
    const wake = () => {
      this.#isWaiting[chipletId] = false;
    };
    if (cycle > this.#now) this.#events.add(cycle, wake);
    else wake();
  }
}

const NONE_BEGUN: FirstBins['begun'] = new Map();

/** @throws {RenderError} REQUEST_INVALID if frames were not rendered for an organization. */
function requireLayers(
  frames: readonly FrameMeasurement[],
  organization: Organization,
  chipletCount: number,
): void {
  for (const { group, ...pass } of frames.flatMap(({ passes }) => passes)) {
    if (organization !== 'binned' && group === undefined && visibilityPartsOf(pass).length > 1) {
      const message = `organization: a frame was rendered with a shared visibility phase; ${organization} needs one on 1 chiplet`;
      throw new RenderError('REQUEST_INVALID', message);
    }
    if (organization !== 'sort-last' && group === undefined) continue;
    if (organization === 'sort-last' && group?.chipletCount === chipletCount) continue;
    const made =
      group === undefined ? 'without sort-last' : `for sort-last on ${group.chipletCount} chiplets`;
    throw new RenderError(
      'REQUEST_INVALID',
      `organization: a frame was rendered ${made}; ${organization} on ${chipletCount} chiplets needs another rendering`,
    );
  }
}

/** Returns that bins of any pass are wanted. */
const isAny = () => true;

/**
 * Returns the index of the first part of a phase that a chiplet has not begun; −1 if it has none.
 */
function nextPart({ visibilityParts }: PassState, chipletId: ChipletId): number {
  return visibilityParts.findIndex(
    (part) => part.chipletId === chipletId && part.startCycle === NEVER,
  );
}

/** Returns the chiplet that runs the first part of a pass's visibility phase. */
function firstChipletOf({ visibilityParts }: PassState): ChipletId {
  return visibilityParts[0]!.chipletId;
}

/** Returns the cycles of a visibility phase that is over; 0 before. */
function lengthOf({ visibilityStart, visibilityEnd }: PassState): number {
  return visibilityEnd === NEVER ? 0 : visibilityEnd - visibilityStart;
}
