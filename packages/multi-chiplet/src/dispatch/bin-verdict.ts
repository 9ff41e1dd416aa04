/**
 * Verdict on the answers to one bin. Hosts give identical results unless one of them lies, is
 * broken or runs another build, so a difference always has a culprit.
 *
 * Trusted hosts outvote new ones, however many new hosts agree, because anyone can connect many new
 * hosts. Among trusted hosts the majority decides. Without a majority each must answer again, and a
 * host that contradicts itself is wrong. New hosts vote only when no trusted host is left.
 */
import type { Chiplet } from '@tessera/frame';
import type { HostTrust } from './host-trust.ts';

/** Answer of one host. */
export interface BinAnswer {
  readonly host: Chiplet;
  readonly trust: HostTrust;
  /** Whether the host was trusted when the request was sent, or is trusted now. */
  readonly isTrusted: boolean;
  /** Index of the result among the distinct results of the bin. */
  readonly value: number;
  /** Outcome of a second request to the host; `failed`: it gave no second answer. */
  repeat: 'none' | 'running' | 'same' | 'different' | 'failed';
}

/** Hosts that can still answer. */
export interface Jury {
  /** Whether two trusted hosts must agree, if there are two. */
  readonly isChecked: boolean;
  /** Whether a trusted host will answer, however late. No new host is believed until then. */
  readonly isTrustedExpected: boolean;
  /** Whether a trusted host can still answer in time. */
  readonly isTrustedLeft: boolean;
  /** Whether a host that is not trusted can still answer in time. */
  readonly isNewcomerLeft: boolean;
  /** Whether the host of an answer can be asked again. */
  readonly canRepeat: (answer: BinAnswer) => boolean;
}

/** Decision on a bin. */
export interface Verdict {
  /**
   * `accept`: `value` is the result. `ask`: another host must answer. `repeat`: the hosts of
   * `again` must answer again, or are already doing so if the list is empty. `split`: no host is
   * left that could tell which result is right.
   */
  readonly kind: 'accept' | 'ask' | 'repeat' | 'split';
  readonly value: number;
  readonly again: readonly BinAnswer[];
  /** Answers that are certainly wrong. */
  readonly wrong: readonly BinAnswer[];
}

/** Decides on a bin from the answers so far. */
export function judgeBin(answers: readonly BinAnswer[], jury: Jury): Verdict {
  const wrong = answers.filter(({ repeat }) => repeat === 'different');
  const candidates = answers.filter(({ repeat }) => repeat !== 'different');
  const verdict = (kind: Verdict['kind'], again: readonly BinAnswer[] = []): Verdict => ({
    kind,
    value: -1,
    again,
    wrong,
  });
  const accept = (value: number): Verdict => ({
    kind: 'accept',
    value,
    again: [],
    wrong: answers.filter((answer) => wrong.includes(answer) || answer.value !== value),
  });
  const isAnyLeft = jury.isTrustedLeft || jury.isNewcomerLeft;
  const [first] = candidates;
  if (first === undefined) return verdict(isAnyLeft ? 'ask' : 'split');

  const trusted = candidates.filter(({ isTrusted }) => isTrusted);
  const isUnanimous = candidates.every(({ value }) => value === first.value);
  if (isUnanimous && trusted.length > 0) {
    const isSecondWanted = jury.isChecked && trusted.length < 2 && jury.isTrustedLeft;
    return isSecondWanted ? verdict('ask') : accept(first.value);
  }
  if (trusted.length === 0 && jury.isTrustedExpected) return verdict('ask');
  if (isUnanimous) {
    const isConfirmed = candidates.length > 1 || !jury.isNewcomerLeft;
    return isConfirmed ? accept(first.value) : verdict('ask');
  }

  const voters = trusted.length > 0 ? trusted : candidates;
  if (voters.some(({ repeat }) => repeat === 'running')) return verdict('repeat');
  const ranking = [...new Set(voters.map(({ value }) => value))]
    .map((value) => ({ value, votes: countVotes(voters, value) }))
    .sort((a, b) => b.votes - a.votes);
  const [best, second] = ranking;
  const isConfirmed = countVotes(candidates, best!.value) >= 2;
  if (isConfirmed && best!.votes > (second?.votes ?? 0)) return accept(best!.value);
  if (trusted.length > 0 ? jury.isTrustedLeft : isAnyLeft) return verdict('ask');
  const again = voters.filter((answer) => answer.repeat === 'none' && jury.canRepeat(answer));
  if (again.length > 0) return verdict('repeat', again);
  return second === undefined ? accept(best!.value) : verdict('split');
}

/** Counts votes. A host that gave the same result twice has two. */
function countVotes(answers: readonly BinAnswer[], wanted: number): number {
  let votes = 0;
  for (const { value, repeat } of answers) {
    if (value === wanted) votes += repeat === 'same' ? 2 : 1;
  }
  return votes;
}
