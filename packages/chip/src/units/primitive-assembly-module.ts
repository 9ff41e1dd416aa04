/**
 * Primitive assembly: passes on one primitive per cycle, in order, after the warps of its vertices
 * are shaded. Transform feedback writes the outputs of the vertices to memory: the module collects
 * them in lines and writes a complete line per cycle.
 */

import type { ClientPort } from '../memory/client-port.ts';
import type { i32 } from '../portable/number-types.ts';
import { COMMAND, PRIMITIVE, RUN_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import type { VertexResultFifo } from '../shading/vertex-result-fifo.ts';
import { Module } from '../sim/module.ts';
import { joinQueues, type Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';

/** Upper bound on the vertex warps that finish out of order, larger than the number in flight. */
const DONE_SLOTS = 16_384;

/** Module of primitive assembly. */
export class PrimitiveAssemblyModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly doneWarps: readonly Queue[];
  private readonly output: Queue;
  private readonly results: VertexResultFifo;
  private readonly port: ClientPort;
  private readonly isDone: Uint8Array = new Uint8Array(DONE_SLOTS);
  /** Number of the first vertex warp that is not shaded. All earlier warps are shaded. */
  private shadedBefore: i32 = 0;
  /** Number of lines of the oldest primitive that were written. */
  private linesWritten: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    records: RunRecords,
    input: Queue,
    doneWarps: readonly Queue[],
    output: Queue,
    results: VertexResultFifo,
    port: ClientPort,
  ) {
    super({ id, name, schedule, inputs: joinQueues(input, doneWarps), outputs: [output] });
    this.records = records;
    this.input = input;
    this.doneWarps = doneWarps;
    this.output = output;
    this.results = results;
    this.port = port;
  }

  reset(): void {
    this.isDone.fill(0);
    this.results.reset();
    this.shadedBefore = 0;
    this.linesWritten = 0;
  }

  clock(cycle: i32): i32 {
    let wake = NEVER;
    for (let core = 0; core < this.doneWarps.length; core++) {
      const done = this.doneWarps[core]!;
      if (done.canPop(cycle)) this.isDone[done.pop(cycle) & (DONE_SLOTS - 1)] = 1;
      const ready = done.nextReady();
      if (ready < wake) wake = ready <= cycle ? cycle + 1 : ready;
    }
    while (this.isDone[this.shadedBefore & (DONE_SLOTS - 1)] === 1) {
      this.isDone[this.shadedBefore & (DONE_SLOTS - 1)] = 0;
      this.shadedBefore++;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = starved(WAIT.input);
      const ready = this.input.nextReady();
      return ready < wake ? ready : wake;
    }
    const words = this.records.commands.words;
    const at = this.records.commands.at(this.input.front());
    const warp = words[at + COMMAND.vertexWarp]!;
    if (warp >= this.shadedBefore) {
      this.states[this.id] = starved(WAIT.shading);
      return wake;
    }
    const lines = countLines(words, at);
    if (this.linesWritten < lines) {
      if (!this.port.hasRoom(1, cycle)) {
        this.states[this.id] = stalled(WAIT.requests);
        return wake;
      }
      this.port.write(words[at + COMMAND.feedbackLine]! + this.linesWritten++, cycle);
      if (this.linesWritten < lines) {
        this.states[this.id] = BUSY;
        return cycle + 1;
      }
    }
    // The run ends when memory has taken all lines.
    const isEnd = words[at + COMMAND.kind] === RUN_END;
    const isWritten = !isEnd || this.port.hasRoom(this.port.capacity, cycle);
    if (!isWritten || !this.output.canPush()) {
      this.states[this.id] = stalled(isWritten ? WAIT.output : WAIT.requests);
      return wake;
    }
    this.linesWritten = 0;
    if (warp >= 0) this.results.takeUpTo(warp, cycle);
    this.output.push(this.input.pop(cycle), cycle, cycle + 1);
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}

/** Returns the number of lines of transform feedback that a command completes. */
function countLines(words: Int32Array, at: i32): i32 {
  if (words[at + COMMAND.kind] !== PRIMITIVE || words[at + COMMAND.feedbackLine] === 0) return 0;
  return words[at + COMMAND.entries]!;
}
