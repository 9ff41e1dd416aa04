import type { Chiplet } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { type BinAnswer, type Jury, judgeBin } from './bin-verdict.ts';
import { HostTrust } from './host-trust.ts';

const ALONE: Jury = {
  isChecked: false,
  isTrustedExpected: false,
  isTrustedLeft: false,
  isNewcomerLeft: false,
  canRepeat: () => true,
};

/**
 * Returns an answer of a trusted host (`T…`) or a newcomer (`N…`): `T0`, `N1` with the value and,
 * if asked again, `same`.
 */
function answer(text: string): BinAnswer {
  const [who, repeat = 'none'] = text.split(' ');
  return {
    host: {} as Chiplet,
    trust: new HostTrust(who!.startsWith('T')),
    isTrusted: who!.startsWith('T'),
    value: Number(who!.slice(1)),
    repeat: repeat as BinAnswer['repeat'],
  };
}

function judge(texts: string[], jury: Partial<Jury> = {}) {
  const answers = texts.map(answer);
  const { kind, value, again, wrong } = judgeBin(answers, { ...ALONE, ...jury });
  const textsOf = (some: readonly BinAnswer[]) => some.map((one) => texts[answers.indexOf(one)]);
  return { kind, value, again: textsOf(again), wrong: textsOf(wrong) };
}

const accepted = (value: number, ...wrong: string[]) => ({
  kind: 'accept',
  value,
  again: [],
  wrong,
});
const ask = { kind: 'ask', value: -1, again: [], wrong: [] };

describe('judgeBin', () => {
  it.each<[string, string[], Partial<Jury>, object]>([
    ['accepts a trusted host', ['T0'], { isTrustedLeft: true }, accepted(0)],
    [
      'asks a second trusted host for a checked bin',
      ['T0'],
      { isChecked: true, isTrustedLeft: true },
      ask,
    ],
    [
      'does not ask a newcomer for a check',
      ['T0'],
      { isChecked: true, isNewcomerLeft: true },
      accepted(0),
    ],
    [
      'accepts a checked bin of two',
      ['T0', 'T0'],
      { isChecked: true, isTrustedLeft: true },
      accepted(0),
    ],
    [
      'waits for a trusted host, however many newcomers agree',
      ['N0', 'N0'],
      { isTrustedExpected: true },
      ask,
    ],
    [
      'has newcomers confirm each other without trusted hosts',
      ['N0'],
      { isNewcomerLeft: true },
      ask,
    ],
    [
      'accepts two newcomers without trusted hosts',
      ['N0', 'N0'],
      { isNewcomerLeft: true },
      accepted(0),
    ],
    ['accepts the only host there is', ['N0'], {}, accepted(0)],
  ])('%s', (_title, answers, jury, expected) => {
    expect(judge(answers, jury)).toEqual(expected);
  });

  it('identifies the host that differs from two others, without a further request', () => {
    expect(judge(['T0', 'T1', 'T0'])).toEqual(accepted(0, 'T1'));
    expect(judge(['T0', 'N1', 'N0'])).toEqual(accepted(0, 'N1'));
    expect(judge(['N0', 'N1', 'N1'])).toEqual(accepted(1, 'N0'));
  });

  it('asks a third host if two differ, and both again if there is none', () => {
    expect(judge(['T0', 'T1'], { isTrustedLeft: true })).toEqual(ask);
    const repeat = { kind: 'repeat', value: -1, wrong: [] };
    expect(judge(['T0', 'T1'])).toEqual({ ...repeat, again: ['T0', 'T1'] });
    expect(judge(['T0 same', 'T1 running'])).toEqual({ ...repeat, again: [] });
  });

  it('believes the host that repeats its result, not the one that contradicts itself', () => {
    expect(judge(['T0 different', 'T1 same'])).toEqual(accepted(1, 'T0 different'));
    expect(judge(['T0 same', 'T1 different'])).toEqual(accepted(0, 'T1 different'));
  });

  it('accepts no result if two hosts insist', () => {
    expect(judge(['T0 same', 'T1 same'])).toEqual({
      kind: 'split',
      value: -1,
      again: [],
      wrong: [],
    });
  });

  it('lets no number of newcomers outvote a trusted host, which has to repeat its result', () => {
    const newcomers = ['N1', 'N1', 'N1'];
    expect(judge(['T0', ...newcomers])).toMatchObject({ kind: 'repeat', again: ['T0'] });
    expect(judge(['T0 same', ...newcomers])).toEqual(accepted(0, ...newcomers));
    expect(judge(['T0 different', ...newcomers])).toEqual(accepted(1, 'T0 different'));
  });

  it('asks another host if all that answered contradict themselves', () => {
    expect(judge(['T0 different'], { isTrustedLeft: true })).toMatchObject({ kind: 'ask' });
    expect(judge(['T0 different'])).toMatchObject({ kind: 'split' });
  });
});
