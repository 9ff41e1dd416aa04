import type { TextureResource } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { TargetStore } from './target-store.ts';

const SIZE = { widthPx: 2, heightPx: 2 };
const FACE_BYTES = 2 * 2 * 4;

/** Creates a store with one cube map; without levels, its texels are zero. */
function makeStore(...levels: readonly Uint8Array[]): TargetStore {
  const cube: TextureResource = {
    ...SIZE,
    sha256: '0'.repeat(64),
    format: 'rgba8unorm',
    dimension: 'cube',
    levels,
    isMipmapGenerated: false,
  };
  return new TargetStore([cube]);
}

const face = (slice: number) => ({ textureIndex: 0, level: 0, slice });
const filled = (value: number) => new Uint8Array(FACE_BYTES).fill(value);
const levelOf = (faces: readonly number[]) => Uint8Array.from(faces.flatMap((f) => [...filled(f)]));

describe('TargetStore', () => {
  it('keeps all faces of a cube that are drawn one after another', () => {
    const store = makeStore();
    for (let slice = 0; slice < 6; slice++) store.writeImage(face(slice), filled(slice + 1), SIZE);
    expect(store.keepTexture(0).levels).toEqual([levelOf([1, 2, 3, 4, 5, 6])]);
  });

  it('does not change a texture that a pass keeps', () => {
    const store = makeStore();
    store.writeImage(face(0), filled(1), SIZE);
    const kept = store.keepTexture(0);
    store.writeImage(face(1), filled(2), SIZE);
    store.writeImage(face(0), filled(3), SIZE);
    expect(kept.levels).toEqual([levelOf([1, 0, 0, 0, 0, 0])]);
    const listed = store.drawnTextures.get(0)!;
    store.writeImage(face(2), filled(4), SIZE);
    expect(listed.levels).toEqual([levelOf([3, 2, 0, 0, 0, 0])]);
    expect(listed.sha256).not.toBe(kept.sha256);
    expect(store.keepTexture(0).levels).toEqual([levelOf([3, 2, 4, 0, 0, 0])]);
  });

  it('does not change the texels that the frame gives', () => {
    const given = levelOf([9, 9, 9, 9, 9, 9]);
    const store = makeStore(given);
    store.writeImage(face(5), filled(1), SIZE);
    expect(given).toEqual(levelOf([9, 9, 9, 9, 9, 9]));
  });

  it('keeps all samples in a copy that changes channels', () => {
    const size = { widthPx: 1, heightPx: 1, sampleCount: 4, levels: [], isMipmapGenerated: false };
    const store = new TargetStore([{ ...size, sha256: '0'.repeat(64), format: 'rgba8unorm-srgb' }]);
    const texels = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    const at = { sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, widthPx: 1, heightPx: 1 };
    store.copy(
      { source: 0, ...at, into: { textureIndex: 0 } },
      { texels, format: 'rgba8unorm', widthPx: 1, sampleCount: 4 },
    );
    expect(store.keepTexture(0).levels).toEqual([texels]);
  });
});
