import { ProgramCache } from '@tessera/multi-chiplet';
import { BENCHMARK_SCENE_NAMES } from '@tessera/scenes';
import { decodeNativeFrame } from '@tessera/wire/native-frame';
import { describe, expect, it } from 'vitest';
import { nameScenes } from '../studies/scenes/scene-files.ts';
import { listFileScenes } from '../studies/scenes/study-scenes.ts';
import { expandBenchmarkScenes } from './benchmark-scene.ts';
import { isCapture } from './read-capture.ts';
import { openFrames, readFrame } from './read-frame.ts';
import { readPostedBody } from './read-posted-body.ts';

const SIZE = { widthPx: 64, heightPx: 36 } as const;
const SCENE = 'scene:asteroids-instanced';

describe('scenes of the benchmark set in place of files', () => {
  it('are single scenes, the whole set, or no scenes', () => {
    expect(expandBenchmarkScenes(SCENE)).toEqual([SCENE]);
    const all = BENCHMARK_SCENE_NAMES.map((name) => `scene:${name}`);
    expect(expandBenchmarkScenes('scene:benchmark-set')).toEqual(all);
    expect(expandBenchmarkScenes('model.glb')).toBeNull();
    expect(() => expandBenchmarkScenes('scene:nowhere')).toThrow("scene 'nowhere' is not one of");
  });

  it('are read in the requested size, and have one view and time', async () => {
    const programs = new ProgramCache();
    expect(await isCapture(SCENE)).toBe(false);
    const { frame, warnings } = await readFrame(SCENE, SIZE, programs);
    expect(frame).toMatchObject(SIZE);
    expect(warnings).toEqual([]);
    const refused = [
      { timeSeconds: 1 },
      { captureFrame: 0 },
      { cameraIndex: 0 },
      { modelOptions: { tone: 'aces' } },
    ];
    for (const option of refused) {
      await expect(readFrame(SCENE, option, programs)).rejects.toThrow(
        'does not apply to a scene; a scene of the benchmark set has one view and time',
      );
    }
    const readPlace = await openFrames(SCENE, SIZE, programs);
    expect((await readPlace({ timeSeconds: 2 })).frame).toEqual(frame);
    await expect(readPlace({ frameIndex: 1 })).rejects.toThrow('frame: does not apply to a scene');
  });

  it('are posted as native frames', async () => {
    const { mediaType, value } = await readPostedBody(SCENE, SIZE);
    expect(mediaType).toBe('application/vnd.tessera.frame+msgpack');
    const { frame } = await readFrame(SCENE, SIZE, new ProgramCache());
    const decoded = decodeNativeFrame(value as Uint8Array);
    expect(decoded.buffers.map(({ sha256 }) => sha256)).toEqual(
      frame.buffers.map(({ sha256 }) => sha256),
    );
    expect(decoded.passes).toEqual(frame.passes);
  });

  it('are scenes of studies by their names', async () => {
    const { files } = await nameScenes([SCENE, 'scene:valley-1m'], ['cube']);
    expect(files.map(({ name }) => name)).toEqual(['asteroids-instanced', 'valley-1m']);
    const set = await listFileScenes(['scene:benchmark-set'], SIZE);
    expect(set.map(({ name }) => name)).toEqual(BENCHMARK_SCENE_NAMES);
    await expect(nameScenes([SCENE, SCENE])).rejects.toThrow('listed twice');
    const asteroids = set.find(({ name }) => name === 'asteroids-instanced')!;
    expect(await asteroids.read(new ProgramCache())).toMatchObject(SIZE);
  });
});
