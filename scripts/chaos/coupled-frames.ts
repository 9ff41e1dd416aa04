/**
 * Frames with `coupling=exact`, and the results that the library has for them in one thread. A
 * service must have the same, on any number of simulated chiplets, with any placement and topology,
 * whatever happens to its workers.
 */
import { createHash } from 'node:crypto';
import { PLACEMENTS } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { defineInterconnect, LINK_TOPOLOGY_NAMES, parsePlacement } from '@tessera/multi-chiplet';
import { cubeFrame, randomTrianglesFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { decodeNativeFrame, encodeNativeFrame } from '@tessera/wire/native-frame';
import type { ChaosFrame, FrameOutcome } from './chaos-client.ts';

// The numbers of values have no common divisor, so counting in all of them at once meets all
// combinations, and a few frames in a row have every value.
const CHIPLETS = [1, 2, 4, 8, 16];
const TOPOLOGIES = ['bus', 'ring', 'full'];
const COMBINATIONS = CHIPLETS.length * PLACEMENTS.length * TOPOLOGIES.length;
/** The other topologies, with fewer combinations. */
const SWITCHED = LINK_TOPOLOGY_NAMES.filter((name) => !TOPOLOGIES.includes(name));
const POLICIES = ['dynamic', 'static', 'dynamic-longest-first'];
const VISIBILITY = ['minimal', 'full'] as const;
const BINS = 12;
const SIZE = { widthPx: 192, heightPx: 128 };
const SCENES = [
  ['random triangles', () => randomTrianglesFrame({ ...SIZE, seed: 7, count: 300 })],
  ['terrain', () => terrainFrame({ ...SIZE, triangles: 2048, seed: 3 })],
  ['cube', () => cubeFrame(SIZE)],
  ['textured quad', () => texturedQuadFrame(SIZE)],
] as const;

/** Options of a frame as its query names them. */
interface CoupledOptions {
  readonly chiplets: number;
  readonly placement: string;
  readonly linkTopology: string;
  readonly policy: string;
  readonly visibility: (typeof VISIBILITY)[number];
}

/** Number of frames of {@link makeCoupledFrames}. */
const COUPLED_FRAMES = COMBINATIONS + 2 * SWITCHED.length;

/**
 * Makes native frames with their results: all combinations of 1, 2, 4, 8 and 16 chiplets, four
 * placements and three topologies, then the other topologies with some of them.
 *
 * @param count Number of frames, by default all.
 */
export async function makeCoupledFrames(
  count = COUPLED_FRAMES,
): Promise<Map<ChaosFrame, FrameOutcome>> {
  const bodies = SCENES.map(([, makeFrame]) => encodeNativeFrame(makeFrame()));
  const outcomes = new Map<ChaosFrame, FrameOutcome>();
  for (let index = 0; index < Math.min(count, COUPLED_FRAMES); index++) {
    // Once through all numbers of chiplets and topologies is a step of the scenes.
    const scene = Math.floor(index / (CHIPLETS.length * TOPOLOGIES.length) + index) % SCENES.length;
    const options = optionsOf(index);
    const frame: ChaosFrame = {
      name: SCENES[scene]![0],
      mediaType: 'application/vnd.tessera.frame+msgpack',
      body: bodies[scene]!,
      query: `?${new URLSearchParams({
        timing: 'cycle',
        coupling: 'exact',
        bins: String(BINS),
        ...options,
        chiplets: String(options.chiplets),
      })}`,
    };
    outcomes.set(frame, await renderInProcess(bodies[scene]!, options));
  }
  return outcomes;
}

function optionsOf(index: number): CoupledOptions {
  const policy = POLICIES[Math.floor(index / 2) % POLICIES.length]!;
  const visibility = VISIBILITY[index % VISIBILITY.length]!;
  if (index < COMBINATIONS) {
    return {
      chiplets: CHIPLETS[index % CHIPLETS.length]!,
      placement: PLACEMENTS[index % PLACEMENTS.length]!,
      linkTopology: TOPOLOGIES[index % TOPOLOGIES.length]!,
      policy,
      visibility,
    };
  }
  const rest = index - COMBINATIONS;
  return {
    chiplets: rest < SWITCHED.length ? 5 : 16,
    placement: PLACEMENTS[rest % PLACEMENTS.length]!,
    linkTopology: SWITCHED[rest % SWITCHED.length]!,
    policy,
    visibility,
  };
}

/** Renders a frame with the library. */
async function renderInProcess(
  body: Uint8Array,
  { chiplets, placement, linkTopology, policy, visibility }: CoupledOptions,
): Promise<FrameOutcome> {
  const gpu = new LocalGpu({ chipletCount: chiplets });
  const { image, report } = await gpu.render(decodeNativeFrame(body), {
    timing: 'cycle',
    coupling: 'exact',
    grid: { kind: 'bins', count: BINS },
    policy,
    visibilityShader: visibility,
    placement: parsePlacement(placement),
    interconnect: defineInterconnect({ topology: linkTopology }),
  });
  return {
    imageSha256: report.image.sha256,
    report: JSON.stringify({ ...report, wall: null }),
    pngSha256: createHash('sha256')
      .update(await encodePng(image))
      .digest('hex'),
  };
}
