/** Options for the visibility phase and the coarse bins, over HTTP and sockets. */
import type { Report } from '@tessera/frame';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=320&height=192&quality=simple&timing=functional';

describe('options of the visibility phase over HTTP', () => {
  let service: TestService;
  let model: Uint8Array;

  beforeAll(async () => {
    model = await makeKnotModel();
    service = await startTestService({ workerCount: 2 });
  });

  const reportOf = async (query: string): Promise<Report> => {
    const response = await postModel(service.url, model, SIZE + query);
    expect(response.status).toBe(200);
    return (await response.json()) as Report;
  };

  it('change bins and phase, never the image', async () => {
    const plain = await reportOf('');
    const shaped = await reportOf('&grid=2x2&split=1');
    expect(shaped.image.sha256).toBe(plain.image.sha256);
    expect(shaped.bins).toHaveLength(5);
    expect((await reportOf('&grid=1/chiplet')).bins).toHaveLength(3);

    const early = await reportOf('&grid=1&visibility=auto&chiplets=1');
    expect(early.image.sha256).toBe(plain.image.sha256);
    expect(early.visibility).toMatchObject({ shader: 'auto', earlyBins: 1 });
    expect(early.bins).toMatchObject([{ id: 0, chiplet: 0, isEarly: true }]);

    const full = await reportOf('&visibility=full&occlusion=true&grid=3x2');
    expect(full.image.sha256).toBe(plain.image.sha256);
    expect(full.visibility.earlyBins).toBe(1);
    expect(full.bins.filter(({ isEarly }) => isEarly)).toHaveLength(1);
  });

  it.each(['grid=2y2', 'grid=0', 'grid=64x64', 'split=-1', 'visibility=none'])(
    'are refused: %s',
    async (query) => {
      const response = await postModel(service.url, model, `${SIZE}&${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(query.split('=')[0]);
    },
  );
});
