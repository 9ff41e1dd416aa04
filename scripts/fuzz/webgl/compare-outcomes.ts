/** Compares the outcomes of two implementations, and counts the differences by call. */
import { type Call, type CallList, formatCall } from './calls/call-list.ts';
import { nameOfError } from './calls/constants.ts';
import type { Outcome } from './execute-calls.ts';
import { explainDifference } from './explained-differences.ts';

/** Differences with the same call and the same two outcomes. */
export interface DifferenceClass {
  readonly title: string;
  count: number;
  /** Number of lists in which this is the first difference, so that no earlier one caused it. */
  firstCount: number;
  /** First example, preferably the first difference of its list. */
  example: { readonly list: CallList; readonly callIndex: number; readonly isFirst: boolean };
}

/** Results of a comparison of many lists. */
export class Comparison {
  callCount = 0;
  equalCount = 0;
  /** Calls with an error or exception in at least one implementation. */
  failedCount = 0;
  equalFailedCount = 0;
  /** Calls without an error whose results can be compared. */
  valueCount = 0;
  equalValueCount = 0;
  readonly classes = new Map<string, DifferenceClass>();
  readonly explained = new Map<string, number>();
  readonly values = new Map<string, { count: number; readonly example: string }>();

  /** Adds a list with its outcomes in Tessera and in the other implementation. */
  add(list: CallList, tessera: readonly Outcome[], other: readonly Outcome[]): void {
    let isFirst = true;
    list.calls.forEach((call, callIndex) => {
      const [ours, theirs] = [tessera[callIndex]!, other[callIndex]!];
      if (ours.status === null && theirs.status === null) return;
      this.callCount++;
      const isEqual = ours.status === theirs.status;
      const isFailed = ours.status !== 0 || theirs.status !== 0;
      if (isFailed) this.failedCount++;
      if (isEqual) {
        this.equalCount++;
        if (isFailed) this.equalFailedCount++;
        else this.#addValues(call, ours, theirs);
        return;
      }
      const cause = explainDifference(call, ours.status, theirs.status, list.version);
      if (cause !== null) this.explained.set(cause, (this.explained.get(cause) ?? 0) + 1);
      else {
        this.#addClass(titleOf(call, ours, theirs), { list, callIndex, isFirst });
        isFirst = false;
      }
    });
  }

  #addClass(title: string, example: DifferenceClass['example']): void {
    const known = this.classes.get(title) ?? { title, count: 0, firstCount: 0, example };
    known.count++;
    if (example.isFirst) known.firstCount++;
    if (example.isFirst && !known.example.isFirst) known.example = example;
    this.classes.set(title, known);
  }

  #addValues(call: Call, ours: Outcome, theirs: Outcome): void {
    if (ours.value === undefined && theirs.value === undefined) return;
    this.valueCount++;
    const [mine, yours] = [JSON.stringify(ours.value), JSON.stringify(theirs.value)];
    if (mine === yours) {
      this.equalValueCount++;
      return;
    }
    const known = this.values.get(call.name) ?? {
      count: 0,
      example: `${formatCall(call)}: ${mine} / ${yours}`,
    };
    known.count++;
    this.values.set(call.name, known);
  }
}

/** Returns a title that differences with the same outcomes of the same call share. */
export function titleOf({ name }: Call, ours: Outcome, theirs: Outcome): string {
  return `${name}: ${describeStatus(ours.status)} / ${describeStatus(theirs.status)}`;
}

/** Returns an outcome as text: the name of an error code, or the class of an exception. */
export function describeStatus(status: Outcome['status']): string {
  if (status === null) return 'no such call';
  return typeof status === 'number' ? nameOfError(status) : status;
}
