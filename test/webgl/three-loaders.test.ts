/**
 * Loaders of three.js in Tessera's window: files by every form of address, with progress events.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encodePng } from '@tessera/frame/png';
import { installWindow } from '@tessera/webgl/dom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MODELS = join(import.meta.dirname, '../golden/models');
const IMAGE = { widthPx: 3, heightPx: 2, rgba: new Uint8Array(24).fill(255) };

/** Part of three.js that this test uses; the package has no types. */
interface Loader {
  loadAsync(address: unknown, onProgress?: (event: ProgressEvent) => void): Promise<unknown>;
  setResponseType(type: string): void;
}
type LoaderName =
  `${'File' | 'Image' | 'ImageBitmap' | 'Texture' | 'CubeTexture' | 'Object'}Loader`;
type LoaderClasses = Readonly<Record<LoaderName | 'GLTFLoader', new () => Loader>>;
interface LoadedModel {
  readonly scene: { traverse(visit: (node: LoadedNode) => void): void };
}
interface LoadedNode {
  readonly isMesh?: boolean;
  readonly material?: { readonly map: { readonly image: ImageBitmap } | null };
}

let folder: string;
let removeWindow: () => void;
let three: LoaderClasses;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-loaders-'));
  writeFileSync(join(folder, 'image.png'), await encodePng(IMAGE));
  writeFileSync(join(folder, 'text.json'), '{"answer": 42}');
  removeWindow = installWindow();
  const [core, gltf] = ['three', 'three/examples/jsm/loaders/GLTFLoader.js'];
  three = { ...(await import(core!)), ...(await import(gltf!)) };
});

afterAll(() => {
  removeWindow();
  rmSync(folder, { recursive: true });
});

/** Returns the forms in which programs write the address of a file. */
function addressesOf(path: string): string[] {
  const bytes = readFileSync(path);
  return [
    pathToFileURL(path).href,
    path,
    relative(process.cwd(), path),
    `data:application/octet-stream;base64,${bytes.toString('base64')}`,
    URL.createObjectURL(new Blob([bytes])),
  ];
}

/** Loads an address and returns the result with the progress events. */
async function load(loader: Loader, address: string) {
  const events: ProgressEvent[] = [];
  const loaded = await loader.loadAsync(address, (event) => {
    events.push(event);
  });
  return { loaded, events };
}

describe('loaders of three.js', () => {
  it('FileLoader loads from every form of address and reports progress', async () => {
    const path = join(folder, 'text.json');
    for (const address of addressesOf(path)) {
      const loader = new three.FileLoader();
      loader.setResponseType('json');
      const { loaded, events } = await load(loader, address);
      expect(loaded, address).toEqual({ answer: 42 });
      expect(events.length, address).toBeGreaterThan(0);
      const last = events.at(-1)!;
      expect(last).toBeInstanceOf(ProgressEvent);
      expect(last).toMatchObject({ type: 'progress', loaded: readFileSync(path).length });
    }
  });

  it('FileLoader knows the length of a file before it is loaded', async () => {
    const { events } = await load(new three.FileLoader(), join(folder, 'text.json'));
    expect(events[0]).toMatchObject({ lengthComputable: true, total: 14 });
  });

  it('FileLoader reports a missing file', async () => {
    const missing = new three.FileLoader().loadAsync(join(folder, 'none.json'));
    await expect(missing).rejects.toThrow('none.json');
  });

  it.each(['BoxVertexColors', 'TextureLinearInterpolationTest', 'AnimatedMorphCube'])(
    'GLTFLoader loads %s',
    async (model) => {
      const { loaded } = await load(new three.GLTFLoader(), join(MODELS, `${model}.glb`));
      let meshes = 0;
      let textures = 0;
      (loaded as LoadedModel).scene.traverse(({ isMesh, material }) => {
        if (isMesh) meshes++;
        if ((material?.map?.image.width ?? 0) > 0) textures++;
      });
      expect(meshes).toBeGreaterThan(0);
      expect(textures > 0).toBe(model.startsWith('Texture'));
    },
  );

  it('image loaders report the size of each image', async () => {
    for (const address of addressesOf(join(folder, 'image.png'))) {
      for (const loader of [
        new three.TextureLoader(),
        new three.ImageLoader(),
        new three.ImageBitmapLoader(),
      ]) {
        const { loaded } = await load(loader, address);
        const { image = loaded } = loaded as { image?: unknown };
        expect(image, `${loader.constructor.name} ${address.slice(0, 60)}`).toMatchObject({
          width: 3,
          height: 2,
        });
      }
    }
  });

  it('CubeTextureLoader and ObjectLoader load images', async () => {
    const address = pathToFileURL(join(folder, 'image.png')).href;
    const cube = await new three.CubeTextureLoader().loadAsync(Array<string>(6).fill(address));
    expect((cube as { images: unknown }).images).toHaveLength(6);
    writeFileSync(
      join(folder, 'scene.json'),
      JSON.stringify({
        metadata: { type: 'Object' },
        object: { type: 'Group', uuid: 'a', children: [] },
      }),
    );
    const { loaded } = await load(new three.ObjectLoader(), join(folder, 'scene.json'));
    expect(loaded).toMatchObject({ type: 'Group' });
  });
});
