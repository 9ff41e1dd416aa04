/** The checker of `npm run history` accepts what the API permits, and finds each violation. */
import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../scripts/history/check/check-history.ts';
import type { SeenEvent } from '../../scripts/history/record/entries.ts';
import { frame, HandMadeHistory } from '../support/hand-made-history.ts';

/** Returns the laws that a history violates, each once. */
function lawsOf(history: HandMadeHistory): string[] {
  return [...new Set(checkHistory(history.build()).map(({ law }) => law))];
}

const start = () => new HandMadeHistory();
const done = () => start().post('a').read('a', 'done');
const image = (subject: string, digest: string) =>
  [
    { operation: 'getFrameImage', subject, place: 'image' },
    { status: 200, digest, seen: [{ kind: 'frame', id: subject, status: 'done' }] },
  ] as const;

describe('a permitted history', () => {
  it('has no violation', () => {
    const history = done()
      .call(...image('a', 'x'))
      .delete('a')
      .read('a', 'gone')
      .delete('a', 404)
      .post('b')
      .delete('b')
      .read('b', 'cancelled')
      .delete('b')
      .read('b', 'gone');
    expect(checkHistory(history.build())).toEqual([]);
  });

  it('may queue a running frame again after the coordinator ended', () => {
    const restarted = () => start().post('a').read('a', 'running').wait(10_000);
    const ended = restarted().process('coordinator', 'ended').wait(10_000).read('a', 'queued');
    expect(lawsOf(ended.read('a', 'done'))).toEqual([]);
    expect(lawsOf(restarted().read('a', 'queued').read('a', 'done'))).toEqual([
      'status moves forward',
    ]);
  });

  it('may have requests without an answer that take effect at any time', () => {
    const key = { idempotencyKey: 'k' };
    const posted = start().post('a', key, false).post('a', key).read('a', 'done');
    expect(lawsOf(posted)).toEqual([]);
    expect(lawsOf(done().delete('a', null).read('a', 'done').read('a', 'gone'))).toEqual([]);
    const unanswered = start().post('a', {}, false).read('a', 'queued').read('a', 'done');
    expect(lawsOf(unanswered)).toEqual([]);
  });

  it('may show either state during a call', () => {
    const call = { operation: 'labelFrame', subject: 'a', value: 'new' };
    const read = (label: string | null) =>
      done().call(call, { status: 200 }, 100).read('a', 'done', { label });
    expect(lawsOf(read('new'))).toEqual([]);
    expect(lawsOf(read(null))).toEqual([]);
    const later = done().call(call, { status: 200 }).read('a', 'done', { label: null });
    expect(lawsOf(later)).toEqual(['written values stay']);
  });
});

describe('a violation of a law about frames', () => {
  it.each([
    ['status moves forward', done().read('a', 'running')],
    ['one end', done().read('a', 'cancelled').delete('a', null)],
    ['deleted stays deleted', done().delete('a').delete('a').read('a', 'done')],
    ['deleted stays deleted', start().post('a').delete('a').read('a', 'done')],
    ['deleted stays deleted', start().post('a').delete('a').delete('a').read('a', 'cancelled')],
    ['nothing disappears', done().read('a', 'gone')],
    ['what is accepted ends', start().post('a').read('a', 'running')],
    ['failures are documented', start().post('a').read('a', 'failed', { code: 'INTERNAL' })],
    ['failures are documented', start().post('a', { job: 'loop' }).read('a', 'done')],
    ['nothing appears', done().read('b', 'done')],
    ['nothing appears', start().read('a', 'queued').post('a').read('a', 'done')],
    ['a request creates one thing', done().read('b', 'done', { token: 'token-a' })],
    [
      'results never change',
      done()
        .call(...image('a', 'x'))
        .call(...image('a', 'y')),
    ],
    [
      'results never change',
      done()
        .post('b')
        .call(...image('a', 'x'))
        .call(...image('b', 'y')),
    ],
  ])('is found: %s', (law, history) => {
    expect(lawsOf(history)).toEqual([law]);
  });

  it('is found in refused posts', () => {
    const call = { operation: 'postFrame', job: 'cube', token: 'token-a' };
    const refused = start().call(call, { status: 503, code: 'SHUTTING_DOWN' }).read('a', 'done');
    expect(lawsOf(refused)).toEqual(['nothing appears']);
  });

  it('is found in keys', () => {
    const key = { idempotencyKey: 'k', token: 'token-a' };
    const twice = () => start().post('a', key).read('a', 'done');
    const second = { token: 'token-a' };
    expect(lawsOf(twice().post('b', key).read('b', 'done', second))).toContain(
      'one key, one frame',
    );
    const freed = twice().delete('a').post('b', key).read('b', 'done', second);
    expect(lawsOf(freed)).toEqual([]);
    expect(lawsOf(twice().post('a', { ...key, job: 'other' }))).toContain('one key, one frame');
  });

  it('is found in codes that disturbances must explain', () => {
    const code = 'FRAME_KILLS_COORDINATOR';
    const killed = (times: number) => {
      const history = start().post('a');
      for (let i = 0; i < times; i++) history.wait(5000).process('coordinator', 'ended');
      return history.wait(5000).read('a', 'failed', { code });
    };
    expect(lawsOf(killed(5))).toEqual([]);
    expect(lawsOf(killed(4))).toEqual(['failures are documented']);
  });
});

describe('a violation of another law', () => {
  const list = { operation: 'listFrames', isWholeList: true };
  const put = { operation: 'putResource', subject: 'hash' };
  const naming = { operation: 'postFrame', job: 'cube', token: 'token-a', needs: ['hash'] };
  const putSpec = (value: string) => ({ operation: 'putSpec', subject: 'spec', value });
  const getSpec = { operation: 'getSpec', subject: 'spec' };

  it.each([
    ['lists are complete', done().call(list, { status: 200, seen: [] })],
    [
      'lists are complete',
      done().call(list, { status: 200, seen: [frame('a', 'done'), frame('a', 'done')] }),
    ],
    ['deleted stays deleted', done().delete('a').read('a', 'gone').call(list, listed('done'))],
    ['stored resources stay', start().call(put, { status: 201 }).call(put, { status: 201 })],
    ['stored resources stay', start().call(put, { status: 204 })],
    [
      'stored resources stay',
      start().call(put, { status: 201 }).call(naming, { status: 409, code: 'RESOURCES_MISSING' }),
    ],
    [
      'written values stay',
      start().call(putSpec('1'), { status: 201 }).call(getSpec, { status: 404 }),
    ],
    [
      'written values stay',
      start()
        .call(putSpec('1'), { status: 201 })
        .call(putSpec('2'), { status: 200 })
        .call(getSpec, { status: 200, values: { spec: '1' } }),
    ],
    ['written values stay', start().call(putSpec('1'), { status: 200 })],
    ['statuses are documented', start().call(list, { status: 418 })],
    ['no request fails without a reason', start().call(list, { status: 503, code: 'INTERNAL' })],
    [
      'no request fails without a reason',
      start().call(
        { operation: 'postFrame', job: 'cube', token: 'token-a' },
        { status: 400, code: 'FRAME_INVALID' },
      ),
    ],
    ['no process reports a bug', start().process('coordinator', 'bug', 'a stack')],
  ])('is found: %s', (law, history) => {
    expect(lawsOf(history)).toEqual([law]);
  });

  it('is found in events', () => {
    const watch = (operation: string, ...events: SeenEvent[]) =>
      done().call({ operation, subject: 'a' }, { status: 200, events, isEnded: true });
    const event = (number: number, status = 'done') =>
      ({ number, name: 'frame', atMs: 31, seen: frame('a', status) }) as const;
    expect(lawsOf(watch('watchFrame', event(1, 'running'), event(2)))).toEqual([]);
    const wrong = ['events are in order'];
    expect(lawsOf(watch('watchFrame', event(2, 'running'), event(1)))).toEqual(wrong);
    expect(lawsOf(watch('watchFrame', event(1, 'running'), event(2, 'queued')))).toEqual(wrong);
    expect(lawsOf(watch('watchService', event(1), event(3)))).toEqual(wrong);
    const other = { ...event(2), name: 'study', seen: undefined };
    const streams = watch('watchService', event(1), event(2));
    streams.call({ operation: 'watchService' }, { status: 200, events: [event(1), other] });
    expect(lawsOf(streams)).toEqual(wrong);
  });

  function listed(status: string) {
    return { status: 200, seen: [frame('a', status)] };
  }
});
