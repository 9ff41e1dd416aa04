/**
 * Laws of origins: nothing appears without a post, a request creates one thing, and a refused
 * request creates none. Names contain a token of their post.
 */
import type { CallEntry } from '../../record/entries.ts';
import {
  type HistoryIndex,
  mayHaveTakenEffect,
  type SubjectHistory,
  type Violation,
} from '../observations/history-index.ts';

/** A study renders each point once, and a second time if a rendering was divided. */
const RENDERINGS_OF_POINT = 2;

/** Checks where all subjects come from. */
export function checkOrigins(index: HistoryIndex): Violation[] {
  return [...checkTokens(index), ...checkKeys(index)];
}

function checkTokens(index: HistoryIndex): Violation[] {
  const violations: Violation[] = [];
  const creators = creatorsByToken(index);
  const byToken = new Map<string, SubjectHistory[]>();
  for (const subject of index.subjects.values()) {
    const seen = subject.observations.find(({ status }) => status !== 'gone');
    const [token] = subject.tokens;
    if (seen === undefined && subject.posts.length === 0) continue;
    const numbers = seen === undefined ? [] : [seen.call.number];
    if (token === undefined) {
      // Results show the id alone; a status would show the name.
      if (subject.posts.length > 0 || subject.observations.some(({ code }) => code)) continue;
      violations.push(appeared(subject, 'has a name without a post', numbers));
      continue;
    }
    byToken.set(token, [...(byToken.get(token) ?? []), subject]);
    const first = creators.get(token)?.[0];
    if (first === undefined)
      violations.push(appeared(subject, 'has a name without a post', numbers));
    else if (subject.observations.some(({ toMs }) => toMs < first.invokedMs)) {
      violations.push(appeared(subject, 'was seen before it was posted', [first.number]));
    }
  }
  for (const [token, subjects] of byToken) {
    const limit = limitOf(creators.get(token) ?? [], subjects);
    if (subjects.length <= limit || limit === 0) continue;
    const ids = subjects.map(({ id }) => id).join(', ');
    const message = `${subjects.length} have the name ${token}, at most ${limit} were posted: ${ids}`;
    const numbers = (creators.get(token) ?? []).map(({ number }) => number);
    violations.push({ law: 'a request creates one thing', message, numbers });
  }
  return violations;
}

function appeared({ kind, id }: SubjectHistory, what: string, numbers: number[]): Violation {
  return { law: 'nothing appears', message: `${kind} ${id} ${what}`, numbers };
}

/** Requests that may have created something with a token in its name, by token, oldest first. */
function creatorsByToken(index: HistoryIndex): Map<string, CallEntry[]> {
  const byToken = new Map<string, CallEntry[]>();
  const add = (token: string, entry: CallEntry) =>
    byToken.set(token, [...(byToken.get(token) ?? []), entry]);
  for (const entry of index.callsOf('postFrame', 'renderFrameAgain', 'postSequence', 'postStudy')) {
    if (!mayHaveTakenEffect(entry)) continue;
    const { token, members = [], operation } = entry.call;
    add(token!, entry);
    if (operation !== 'postStudy') continue;
    // The frames of a study have the name of its subject.
    for (const member of members) {
      for (const name of index.subjects.get(member)?.tokens ?? []) add(name, entry);
    }
  }
  return byToken;
}

function limitOf(creators: readonly CallEntry[], subjects: readonly SubjectHistory[]): number {
  const keys = new Set<string>();
  let limit = 0;
  for (const { call } of creators) {
    const { idempotencyKey, frameCount = 0, operation, token } = call;
    if (operation === 'postStudy') {
      const isSubject = !subjects.some(({ tokens }) => tokens.has(token!));
      limit += isSubject ? RENDERINGS_OF_POINT * frameCount : 1;
    } else if (operation === 'postSequence') limit += 1 + frameCount;
    else if (idempotencyKey === undefined) limit++;
    else if (!keys.has(idempotencyKey)) {
      keys.add(idempotencyKey);
      limit++;
    }
  }
  // A key is free again when its frame is deleted.
  const deletes = subjects.reduce((sum, subject) => sum + subject.deletes.length, 0);
  return keys.size > 0 ? limit + deletes : limit;
}

/** One key leads to one frame as long as that frame exists, and only with the same job. */
function checkKeys(index: HistoryIndex): Violation[] {
  const violations: Violation[] = [];
  const answersByKey = new Map<string, CallEntry[]>();
  for (const entry of index.callsOf('postFrame')) {
    const { idempotencyKey: key } = entry.call;
    if (key === undefined || entry.answer?.subject === undefined) continue;
    const earlier = answersByKey.get(key) ?? [];
    for (const other of earlier) {
      const isSame = other.answer!.subject === entry.answer.subject;
      const isOtherJob = other.call.job !== entry.call.job;
      const { deletes = [] } = index.subjects.get(other.answer!.subject!) ?? {};
      const isFree =
        !index.history.header.isCluster &&
        deletes.some(({ invokedMs }) => invokedMs < entry.completedMs);
      if (isSame ? !isOtherJob : isFree) continue;
      const message = `${key} leads to ${other.answer!.subject} and ${entry.answer.subject}`;
      const numbers = [other.number, entry.number];
      violations.push({ law: 'one key, one frame', message, numbers });
    }
    answersByKey.set(key, [...earlier, entry]);
  }
  return violations;
}
