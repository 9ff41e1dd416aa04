/**
 * Events by cycle: a wheel of lists for the next cycles, and a binary heap for later ones. Events
 * are used again.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import { EventSubject } from './packet-parts.ts';

/** Number of cycles that have a list; a power of two. */
const SLOT_COUNT = 256;
const SLOT_MASK = 255;
const WORD_COUNT = 8;

/** Event of a cycle. */
export class CycleEvent {
  cycle: f64 = 0;
  kind: i32 = 0;
  subject: EventSubject;
  /** Position in the order in which events that are too late for the wheel were added. */
  order: f64 = 0;
  next: CycleEvent | null = null;

  constructor(subject: EventSubject) {
    this.subject = subject;
  }
}

/** Events with a kind and a subject. */
export class CycleEvents {
  /** Next cycle with events; infinite if there is none. */
  nextCycle: f64 = Infinity;
  /** First and last event by slot, of slots that have a bit in `words`. */
  private readonly firsts: CycleEvent[] = [];
  private readonly lasts: CycleEvent[] = [];
  /** A bit for each slot that has events. */
  private readonly words: Int32Array = new Int32Array(WORD_COUNT);
  private free: CycleEvent | null = null;
  private readonly far: CycleEvent[] = [];
  private farCount: f64 = 0;
  /** First cycle of the wheel, before which no event is, and its slot. */
  private base: f64 = 0;
  private baseSlot: i32 = 0;

  constructor() {
    const none = new CycleEvent(new EventSubject());
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      this.firsts.push(none);
      this.lasts.push(none);
    }
  }

  /** Adds an event, in a cycle after those of events that were taken. */
  add(cycle: f64, kind: i32, subject: EventSubject): void {
    let event = this.free;
    if (event === null) event = new CycleEvent(subject);
    else this.free = event.next;
    event.cycle = cycle;
    event.kind = kind;
    event.subject = subject;
    if (cycle - this.base < SLOT_COUNT) this.addToSlot(event);
    else this.addFar(event);
    if (cycle < this.nextCycle) this.nextCycle = cycle;
  }

  /**
   * Removes an event of a cycle, in the order in which they were added. It is valid until an event
   * is added.
   *
   * @param cycle Next cycle with events, or one whose events were all taken just now.
   * @returns The event; null if none is left.
   */
  take(cycle: f64): CycleEvent | null {
    if (cycle > this.base) this.moveTo(cycle);
    const slot = this.baseSlot;
    const bit = 1 << (slot & 31);
    if ((this.words[slot >> 5]! & bit) === 0) {
      this.nextCycle = this.findNext();
      return null;
    }
    const event = this.firsts[slot]!;
    const next = event.next;
    if (next === null) this.words[slot >> 5]! &= ~bit;
    else this.firsts[slot] = next;
    event.next = this.free;
    this.free = event;
    return event;
  }

  /** Moves the wheel to a cycle before which there are no events. */
  moveTo(cycle: f64): void {
    if (cycle <= this.base || cycle === Infinity) return;
    const step = cycle - this.base;
    const slots = step - Math.floor(step / SLOT_COUNT) * SLOT_COUNT;
    this.baseSlot = (this.baseSlot + (slots as i32)) & SLOT_MASK;
    this.base = cycle;
    while (this.far.length > 0 && this.far[0]!.cycle - cycle < SLOT_COUNT) {
      this.addToSlot(this.removeFar());
    }
  }

  private addToSlot(event: CycleEvent): void {
    const slot = (this.baseSlot + ((event.cycle - this.base) as i32)) & SLOT_MASK;
    const bit = 1 << (slot & 31);
    event.next = null;
    if ((this.words[slot >> 5]! & bit) === 0) {
      this.words[slot >> 5]! |= bit;
      this.firsts[slot] = event;
    } else {
      this.lasts[slot]!.next = event;
    }
    this.lasts[slot] = event;
  }

  /** Returns the next cycle with events. */
  private findNext(): f64 {
    const first = this.baseSlot;
    let word = first >> 5;
    let bits = this.words[word]! & (-1 << (first & 31));
    // The word of the first slot is looked at twice: its low bits are the last slots of the wheel.
    for (let looked = 0; looked <= WORD_COUNT; looked++) {
      if (bits !== 0) {
        const slot = (word << 5) | (31 - (Math.clz32(bits & -bits) as i32));
        return this.base + ((slot - first) & SLOT_MASK);
      }
      word = (word + 1) & (WORD_COUNT - 1);
      bits = this.words[word]!;
    }
    return this.far.length > 0 ? this.far[0]!.cycle : Infinity;
  }

  private addFar(event: CycleEvent): void {
    event.order = this.farCount++;
    const far = this.far;
    let at = far.length;
    far.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(far[parent]!, event)) break;
      far[at] = far[parent]!;
      at = parent;
    }
    far[at] = event;
  }

  /** Removes and returns the earliest of the far events. */
  private removeFar(): CycleEvent {
    const far = this.far;
    const earliest = far[0]!;
    const event = far.pop()!;
    const length = far.length;
    if (length === 0) return earliest;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(far[child + 1]!, far[child]!)) child++;
      if (isBefore(event, far[child]!)) break;
      far[at] = far[child]!;
      at = child;
    }
    far[at] = event;
    return earliest;
  }
}

function isBefore(a: CycleEvent, b: CycleEvent): boolean {
  return a.cycle === b.cycle ? a.order < b.order : a.cycle < b.cycle;
}
