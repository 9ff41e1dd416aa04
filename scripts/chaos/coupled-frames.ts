/**
 * Frames with `coupling=exact`, and the results that the library has for them. A service must have
 * the same, on any number of simulated chiplets, whatever happens to its workers.
 */
import { createHash } from 'node:crypto';
import type { Frame } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { cubeFrame, randomTrianglesFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { decodeNativeFrame, encodeNativeFrame } from '@tessera/wire/native-frame';
import type { ChaosFrame, FrameOutcome } from './chaos-client.ts';

const CHIPLETS = [1, 2, 4, 8];
const POLICIES = ['dynamic', 'static', 'dynamic-longest-first'];
const VISIBILITY = ['minimal', 'full'] as const;
const BINS = 12;

/** Makes native frames for 1, 2, 4 and 8 chiplets, with their results. */
export async function makeCoupledFrames(): Promise<Map<ChaosFrame, FrameOutcome>> {
  const size = { widthPx: 192, heightPx: 128 };
  const scenes = [
    ['random triangles', randomTrianglesFrame({ ...size, seed: 7, count: 300 })],
    ['terrain', terrainFrame({ ...size, triangles: 2048, seed: 3 })],
    ['cube', cubeFrame(size)],
    ['textured quad', texturedQuadFrame(size)],
  ] as const;
  const outcomes = new Map<ChaosFrame, FrameOutcome>();
  for (const [sceneIndex, [name, scene]] of scenes.entries()) {
    const body = encodeNativeFrame(scene);
    for (const [i, chiplets] of CHIPLETS.entries()) {
      const policy = POLICIES[(sceneIndex + i) % POLICIES.length]!;
      const visibility = VISIBILITY[i % VISIBILITY.length]!;
      const options = `timing=cycle&coupling=exact&bins=${BINS}`;
      const frame: ChaosFrame = {
        name,
        mediaType: 'application/vnd.tessera.frame+msgpack',
        body,
        query: `?${options}&chiplets=${chiplets}&policy=${policy}&visibility=${visibility}`,
      };
      const decoded = decodeNativeFrame(body);
      outcomes.set(frame, await renderInProcess(decoded, { chiplets, policy, visibility }));
    }
  }
  return outcomes;
}

/** Renders a frame with the library. */
async function renderInProcess(
  frame: Frame,
  {
    chiplets,
    policy,
    visibility,
  }: { chiplets: number; policy: string; visibility: (typeof VISIBILITY)[number] },
): Promise<FrameOutcome> {
  const { image, report } = await new LocalGpu({ chipletCount: chiplets }).render(frame, {
    timing: 'cycle',
    coupling: 'exact',
    grid: { kind: 'bins', count: BINS },
    policy,
    visibilityShader: visibility,
  });
  return {
    imageSha256: report.image.sha256,
    report: JSON.stringify({ ...report, wall: null }),
    pngSha256: createHash('sha256')
      .update(await encodePng(image))
      .digest('hex'),
  };
}
