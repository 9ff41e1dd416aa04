/** Laws of what clients store: labels of frames, specifications and resources. */
import type { CallEntry } from '../../record/entries.ts';
import {
  type HistoryIndex,
  mayHaveTakenEffect,
  type Violation,
} from '../observations/history-index.ts';
import { findUnexplained, type Read, type Write } from '../observations/register.ts';

const ABSENT: Write = {
  value: null,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.NEGATIVE_INFINITY,
  call: null,
};

/** Checks all stored values. */
export function checkStoredValues(index: HistoryIndex): Violation[] {
  return [...checkLabels(index), ...checkSpecs(index), ...checkResources(index)];
}

function writeOf(call: CallEntry, value: string | null): Write {
  return { value, fromMs: call.invokedMs, toMs: call.completedMs, call };
}

function readOf(call: CallEntry, matches: Read['matches']): Read {
  return { matches, fromMs: call.invokedMs, toMs: call.completedMs, call };
}

function describe(law: string, what: string, reads: readonly Read[]): Violation[] {
  return reads.map(({ call }) => ({
    law,
    message: `${call.call.operation} shows a value of ${what} that no write explains`,
    numbers: [call.number],
  }));
}

function checkLabels(index: HistoryIndex): Violation[] {
  const writesById = new Map<string, Write[]>();
  const readsById = new Map<string, Read[]>();
  const add = <T>(map: Map<string, T[]>, id: string, value: T) => {
    const known = map.get(id);
    if (known === undefined) map.set(id, [value]);
    else known.push(value);
  };
  for (const entry of index.history.calls) {
    const { call, answer } = entry;
    if (call.operation === 'labelFrame' && mayHaveTakenEffect(entry)) {
      add(writesById, call.subject!, writeOf(entry, call.value!));
    }
    for (const { kind, id, label } of answer?.seen ?? []) {
      if (kind !== 'frame' || label === undefined || call.operation === 'labelFrame') continue;
      add(
        readsById,
        id,
        readOf(entry, (value) => value === label),
      );
    }
  }
  return [...readsById].flatMap(([id, reads]) => {
    // A frame that was rendered again begins with the label of another.
    const posts = index.subjects.get(id)?.posts ?? [];
    if (!posts.some(({ call }) => call.operation === 'postFrame')) return [];
    const writes = [ABSENT, ...(writesById.get(id) ?? [])];
    return describe('written values stay', `the label of ${id}`, findUnexplained(writes, reads));
  });
}

function checkSpecs(index: HistoryIndex): Violation[] {
  const calls = index.callsOf('putSpec', 'deleteSpec', 'getSpec', 'listSpecs');
  const names = new Set(
    calls.flatMap(({ call, answer }) => [
      ...(call.subject === undefined ? [] : [call.subject]),
      ...Object.keys(answer?.values ?? {}),
    ]),
  );
  return [...names].flatMap((name) => {
    const writes: Write[] = [ABSENT];
    const reads: Read[] = [];
    for (const entry of calls) {
      const { call, answer } = entry;
      const isOfName = call.subject === name;
      const isWrite = call.operation === 'putSpec' || call.operation === 'deleteSpec';
      if (isOfName && isWrite && mayHaveTakenEffect(entry)) {
        writes.push(writeOf(entry, call.value ?? null));
      }
      if (answer === null) continue;
      const shown = answer.values?.[name];
      if (!isWrite && shown !== undefined) reads.push(readOf(entry, (value) => value === shown));
      // The status says whether there was a value before.
      const wasAbsent = isOfName && (answer.status === 404 || answer.status === 201);
      const wasPresent =
        isOfName && isWrite && answer.status === (call.operation === 'putSpec' ? 200 : 204);
      if (wasAbsent) reads.push(readOf(entry, (value) => value === null));
      if (wasPresent) reads.push(readOf(entry, (value) => value !== null));
    }
    return describe('written values stay', `specification ${name}`, findUnexplained(writes, reads));
  });
}

/** A resource that was stored stays, and can be named by frames. */
function checkResources(index: HistoryIndex): Violation[] {
  const puts = new Map<string, CallEntry[]>();
  for (const put of index.callsOf('putResource')) {
    puts.set(put.call.subject!, [...(puts.get(put.call.subject!) ?? []), put]);
  }
  const isStored = (hash: string, beforeMs: number, than: CallEntry) =>
    (puts.get(hash) ?? []).some(
      (put) => put !== than && put.completedMs < beforeMs && put.answer!.status < 300,
    );
  const mayBeStored = (hash: string, { completedMs }: CallEntry, than: CallEntry) =>
    (puts.get(hash) ?? []).some(
      (put) => put !== than && put.invokedMs < completedMs && mayHaveTakenEffect(put),
    );
  const violations: Violation[] = [];
  const report = (entry: CallEntry, message: string) =>
    violations.push({ law: 'stored resources stay', message, numbers: [entry.number] });
  for (const entry of index.callsOf('putResource', 'postFrame')) {
    const { call, answer, invokedMs } = entry;
    const hashes = call.operation === 'putResource' ? [call.subject!] : (call.needs ?? []);
    if (answer === null || hashes.length === 0) continue;
    const wereStored = hashes.every((hash) => isStored(hash, invokedMs, entry));
    const mayBeThere = hashes.every((hash) => mayBeStored(hash, entry, entry));
    if (call.operation === 'putResource') {
      if (answer.status === 201 && wereStored) report(entry, `${call.subject} was stored before`);
      if (answer.status === 204 && !mayBeThere) report(entry, `${call.subject} was never stored`);
    } else if (answer.code === 'RESOURCES_MISSING' && wereStored) {
      report(entry, `${hashes.join(', ')}: missing although stored`);
    } else if (answer.subject !== undefined && !mayBeThere) {
      report(entry, `${hashes.join(', ')}: used although never stored`);
    }
  }
  return violations;
}
