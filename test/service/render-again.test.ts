/**
 * A posted frame is rendered again with other options; such requests are rejected for the
 * documented reasons.
 */

import type { Report } from '@tessera/frame';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const CAPTURE_NAME = 'clear.trace';
const LIMIT_PIXELS = 10_000;

interface Status {
  readonly id: string;
  readonly model: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly links: { readonly image: string };
}

/** Returns the capture of a program that clears its window, 64 by 48 pixels, to red. */
function writeCapture(): Uint8Array {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 64, height: 48 }, null, 1)
    .call('glClearColor', { red: 1, green: 0, blue: 0, alpha: 1 })
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish();
}

describe('POST /v1/frames/{id}/again', () => {
  let url: string;
  let model: Status;
  let capture: Status;

  beforeAll(async () => {
    const environment = { TESSERA_MAX_PIXELS: String(LIMIT_PIXELS) };
    ({ url } = await startTestService({ workerCount: 1, environment }));
    const query = '?width=64&height=48&bins=4&policy=static-blocks';
    model = await postForm(query, await makeModelGlb(), 'model.glb');
    capture = await postForm('?bins=4', writeCapture(), CAPTURE_NAME);
  });

  async function postForm(query: string, bytes: Uint8Array, name: string): Promise<Status> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), name);
    const headers = { Prefer: 'wait=0' };
    const answer = await fetch(`${url}/v1/frames${query}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
    return (await answer.json()) as Status;
  }

  const again = (id: string, query: string) =>
    fetch(`${url}/v1/frames/${id}/again${query}`, { method: 'POST' });

  it('keeps missing options and overrides given ones', async () => {
    const answer = await again(model.id, '?policy=dynamic-pull&chiplets=3');
    expect(answer.status).toBe(202);
    const status = (await answer.json()) as Status;
    expect(status.id).not.toBe(model.id);
    expect(answer.headers.get('location')).toBe(`/v1/frames/${status.id}`);
    expect(status.options).toEqual({ ...model.options, policy: 'dynamic-pull', chiplets: 3 });
    expect(status.model).toBe(model.model);
  });

  it('has the energy of the technologies that were chosen, and of the others as before', async () => {
    const bytes = await makeModelGlb();
    const query = '?width=64&height=48&bins=4&chiplets=2&energyMemory=hbm2';
    const posted = await postForm(query, bytes, 'model.glb');
    const answer = await again(posted.id, '?energyLinkClass=advanced-package');
    const reportOf = async ({ id }: Status) => {
      const headers = { Prefer: 'wait=60' };
      await expect
        .poll(async () => (await fetch(`${url}/v1/frames/${id}/report`, { headers })).status, {
          timeout: 60_000,
        })
        .toBe(200);
      return (await (await fetch(`${url}/v1/frames/${id}/report`)).json()) as Report;
    };
    const first = await reportOf(posted);
    const second = await reportOf((await answer.json()) as Status);
    const standard = { nodeNm: 7, packageLinkClass: 'board' };
    expect(first.energy!.technology).toEqual({
      ...{ ...standard, memory: 'hbm2', linkClass: 'standard-package' },
    });
    expect(second.energy!.technology).toEqual({
      ...{ ...standard, memory: 'hbm2', linkClass: 'advanced-package' },
    });
    expect(second.totals).toEqual(first.totals);
    expect(second.energy!.units).toEqual(first.energy!.units);
    const bus = ({ energy }: Report) =>
      energy!.link.channels.find(({ channel }) => channel === 'bus')!.dynamic.lowPj;
    expect(bus(second) / bus(first)).toBeCloseTo(0.2 / 0.5, 5);
  });

  it('renders a capture again with the name of its file', async () => {
    expect(capture.model).toMatch(new RegExp(`^${CAPTURE_NAME}, \\d+ bytes$`));
    const answer = await again(capture.id, '?chiplets=2');
    const { links, model: title } = (await answer.json()) as Status;
    expect(title).toBe(capture.model);
    const imageOf = async (path: string) => {
      const got = await fetch(url + path);
      return got.status === 200 ? Buffer.from(await got.arrayBuffer()).toString('hex') : null;
    };
    // The service renders both at the same time, and either may be the first.
    for (const path of [links.image, capture.links.image]) {
      await expect.poll(() => imageOf(path), { timeout: 60_000 }).not.toBeNull();
    }
    expect(await imageOf(links.image)).toBe(await imageOf(capture.links.image));
  });

  it.each([
    [
      'width',
      'capture',
      '?width=32',
      400,
      'REQUEST_INVALID',
      'query.width: a capture defines its own size, camera and time',
    ],
    [
      'time',
      'capture',
      '?time=1',
      400,
      'REQUEST_INVALID',
      'query.time: a capture defines its own size, camera and time',
    ],
    ['an option there is not', 'model', '?color=red', 400, 'REQUEST_INVALID', 'color'],
    ['another frame of a capture', 'capture', '?frame=1', 400, 'REQUEST_INVALID', 'frame'],
    [
      'a memory there is not',
      'model',
      '?energyMemory=ddr9',
      400,
      'REQUEST_INVALID',
      'energyMemory',
    ],
    ['a policy there is not', 'model', '?policy=best', 400, 'REQUEST_INVALID', 'policy'],
    ['too many pixels', 'model', '?width=500&height=50', 413, 'LIMIT_EXCEEDED', '25000 pixels'],
    ['a frame there is not', 'nothing', '', 404, 'NOT_FOUND', 'no frame'],
  ] as const)('refuses %s (%s)', async (_what, of, query, status, code, place) => {
    const id = { model: model.id, capture: capture.id, nothing: 'nothing' }[of];
    const answer = await again(id, query);
    const problem = (await answer.json()) as { readonly code: string; readonly detail: string };
    expect([answer.status, problem.code]).toEqual([status, code]);
    expect(problem.detail).toContain(place);
  });
});
