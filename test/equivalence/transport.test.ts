/** Frames rendered over sockets have the same image and report as in one process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { makeFeedbackRenderer } from '@tessera/local-gpu/feedback';
import { importGltf, type LookMaker, makeLook, parseModelOptions } from '@tessera/scenes';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const MODELS = { BoxVertexColors: 'simple', TextureLinearInterpolationTest: 'full' } as const;
const CHIPLET_COUNTS = [1, 2, 3, 4, 8] as const;
const SIZE = { widthPx: 640, heightPx: 480 } as const;

/** Environments are filtered here as in the service. */
const LOOKS: LookMaker = {
  loadRenderer: async () => makeFeedbackRenderer(),
  store: new Map(),
  readPanorama: () => new Uint8Array(),
};

describe('a frame over sockets', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ workerCount: 7 }); // 8 chiplets with the visibility chiplet
  });

  it.each(
    (Object.keys(MODELS) as (keyof typeof MODELS)[]).flatMap((name) =>
      CHIPLET_COUNTS.map((chipletCount) => [name, chipletCount] as const),
    ),
  )(
    'is the frame of one process, pixel for pixel: %s on %i chiplets',
    async (name, chipletCount) => {
      const bytes = readFileSync(join(import.meta.dirname, '../golden/models', `${name}.glb`));
      const quality = MODELS[name];
      const look = await makeLook(parseModelOptions({ quality }), LOOKS);
      const { frame } = await importGltf({ kind: 'glb', bytes }, { ...SIZE, look });
      const gpu = new LocalGpu({ chipletCount });
      for (const policy of ['static', 'dynamic']) {
        for (const binCount of [4, 32]) {
          // Cycle timing with few bins, functional timing with many.
          const timing = binCount === 4 ? 'cycle' : 'functional';
          const options = { policy, grid: { kind: 'bins', count: binCount }, timing } as const;
          const local = await gpu.render(frame, options);
          const query =
            `?width=640&height=480&quality=${quality}&policy=${policy}&bins=${binCount}` +
            `&chiplets=${chipletCount}&timing=${timing}`;
          const response = await postModel(service.url, bytes, query);
          expect(response.status).toBe(200);
          const report = (await response.json()) as Report;
          expect(report.chiplets).toHaveLength(chipletCount);
          // Everything except the wall clock: image, bins, their chiplets, all counters.
          expect({ ...report, wall: null }).toEqual({ ...local.report, wall: null });
        }
      }
    },
  );
});
