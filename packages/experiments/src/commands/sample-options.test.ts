import { describe, expect, it } from 'vitest';
import { readSampleOptions } from './sample-options.ts';

describe('the options of a sample', () => {
  it.each([
    ['±1%@95%', 0.01, 0.95],
    ['1%@95%', 0.01, 0.95],
    ['+-0.5%@99.5%', 0.005, 0.995],
  ])('have the goal %s', (sample, halfWidthShare, confidence) => {
    const options = { sample, figures: 'cycles,linkBytes', seed: '7', timing: 'cycle' };
    const { goal, figures, seed } = readSampleOptions(options)!;
    expect(goal.halfWidthShare).toBeCloseTo(halfWidthShare, 12);
    expect(goal.confidence).toBeCloseTo(confidence, 12);
    expect([figures, seed]).toEqual([['cycles', 'linkBytes'], 7]);
  });

  it('are missing without --sample', () => {
    expect(readSampleOptions({ timing: 'cycle', 'in-flight': '3' })).toBeNull();
  });

  it.each([
    [{ sample: '1%' }, "sample: '1%' is not a goal such as ±1%@95%"],
    [{ sample: '-1%@95%' }, "sample: '-1%@95%' is not a goal"],
    [{ sample: '0%@95%' }, 'sample: the half width 0 % is not in 0.0001 % to 100 %'],
    [{ sample: '1%@100%' }, 'sample: the confidence 100 % is not in 50 % to 99.9 %'],
    [{ sample: '1%@95%', timing: 'functional' }, 'sample: requires --timing cycle'],
    [{ sample: '1%@95%', 'in-flight': '2' }, 'in-flight: does not apply to --sample'],
    [{ sample: '1%@95%', timeline: 'x' }, 'timeline: does not apply to --sample'],
    [{ sample: '1%@95%', seed: 'x' }, "seed: 'x' is not an integer from 0 to 4294967295"],
    [{ seed: '2' }, 'seed: requires --sample'],
    [{ images: true }, 'images: requires --sample'],
    [{ figures: 'cycles' }, 'figures: requires --sample'],
  ])('refuse %j', (values, message) => {
    expect(() => readSampleOptions({ timing: 'cycle', ...values })).toThrow(message);
  });
});
