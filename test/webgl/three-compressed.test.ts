/**
 * Compressed textures of three.js and Babylon.js: the formats that they find, and textures that
 * loaders of three.js read from DDS and KTX 2 files.
 */
import { installWindow } from '@tessera/webgl/dom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const EDGE_PX = 32;

/** Parts of three.js that this test uses; the package has no types. */
interface Texture {
  minFilter: number;
  colorSpace: string;
  needsUpdate: boolean;
}
interface Renderer {
  readonly domElement: HTMLCanvasElement;
  readonly extensions: { has(name: string): boolean };
  outputColorSpace: string;
  setSize(width: number, height: number, hasStyle: boolean): void;
  setViewport(x: number, y: number, width: number, height: number): void;
  render(scene: object, camera: object): void;
  getContext(): WebGL2RenderingContext;
}
interface Three {
  readonly WebGLRenderer: new (options: object) => Renderer;
  readonly Scene: new () => { add(object: object): void };
  readonly OrthographicCamera: new (...box: number[]) => object;
  readonly Mesh: new (geometry: object, material: object) => object;
  readonly PlaneGeometry: new (width: number, height: number) => object;
  readonly MeshBasicMaterial: new (options: { map: Texture }) => object;
  readonly CompressedTexture: new (
    mipmaps: object[],
    width: number,
    height: number,
    format: number,
  ) => Texture;
  readonly LinearSRGBColorSpace: string;
}
interface DdsLoader {
  parse(
    file: ArrayBuffer,
    loadMipmaps: boolean,
  ): {
    readonly mipmaps: object[];
    readonly width: number;
    readonly height: number;
    readonly format: number;
  };
}
interface Ktx2Loader {
  readonly workerConfig: Readonly<Record<string, boolean>>;
  detectSupport(renderer: Renderer): Ktx2Loader;
  parse(
    file: ArrayBuffer,
    onLoad: (texture: Texture) => void,
    onError: (error: unknown) => void,
  ): void;
}
interface Ktx2Container {
  vkFormat: number;
  pixelWidth: number;
  pixelHeight: number;
  levels: { levelData: Uint8Array; uncompressedByteLength: number }[];
}
interface KtxParse {
  createDefaultContainer(): Ktx2Container;
  write(container: Ktx2Container): Uint8Array<ArrayBuffer>;
}

let removeWindow: () => void;
let three: Three;
let loaders: { DDSLoader: new () => DdsLoader; KTX2Loader: new () => Ktx2Loader };
let ktx: KtxParse;

beforeAll(async () => {
  removeWindow = installWindow();
  const addons = 'three/examples/jsm';
  three = (await import('three' as string)) as Three;
  loaders = {
    ...(await import(`${addons}/loaders/DDSLoader.js`)),
    ...(await import(`${addons}/loaders/KTX2Loader.js`)),
  } as typeof loaders;
  ktx = (await import(`${addons}/libs/ktx-parse.module.js`)) as KtxParse;
});

afterAll(() => removeWindow());

function makeRenderer(): Renderer {
  const canvas = document.createElement('canvas');
  const renderer = new three.WebGLRenderer({ canvas, antialias: false });
  renderer.setSize(EDGE_PX, EDGE_PX, false);
  renderer.outputColorSpace = three.LinearSRGBColorSpace;
  return renderer;
}

/** Draws a texture into a square of pixels and returns the color at its center. */
function drawTexture(renderer: Renderer, map: Texture, squarePx: number): number[] {
  const scene = new three.Scene();
  const material = new three.MeshBasicMaterial({ map });
  scene.add(new three.Mesh(new three.PlaneGeometry(2, 2), material));
  renderer.setViewport(0, 0, squarePx, squarePx);
  renderer.render(scene, new three.OrthographicCamera(-1, 1, 1, -1, -1, 1));
  const gl = renderer.getContext();
  const color = new Uint8Array(4);
  gl.readPixels(squarePx / 2, squarePx / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, color);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return [...color];
}

const repeat = (block: readonly number[], count: number): number[] =>
  Array.from({ length: count }, () => block).flat();

const [RED, GREEN, BLUE] = [
  [0x00, 0xf8, 0, 0, 0, 0, 0, 0],
  [0xe0, 0x07, 0, 0, 0, 0, 0, 0],
  [0x1f, 0x00, 0, 0, 0, 0, 0, 0],
];

describe('three.js', () => {
  it('draws each level of a DDS file in DXT1', () => {
    const levels = [...repeat(RED, 4), ...GREEN, ...BLUE, ...BLUE];
    const file = new Uint8Array(128 + levels.length);
    const header = new Int32Array(file.buffer, 0, 32);
    // Magic number, size, flags with a number of levels, height, width; then the number of levels.
    header.set([0x20534444, 124, 0x20000, 8, 8]);
    header[7] = 4;
    // Flags and name of the pixel format: DXT1.
    header.set([0x4, 0x31545844], 20);
    file.set(levels, 128);
    const dds = new loaders.DDSLoader().parse(file.buffer, true);
    const { mipmaps, width, height, format } = dds;
    const texture = new three.CompressedTexture(mipmaps, width, height, format);
    texture.needsUpdate = true;
    const renderer = makeRenderer();
    const colors = [8, 4, 2].map((squarePx) => drawTexture(renderer, texture, squarePx));
    expect(colors).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
    ]);
  });

  it.each([
    ['BC1_RGB_UNORM', 131, RED, [255, 0, 0]],
    // Mode 6: red and alpha of both endpoints are 127 of 127 with a low bit of 1.
    [
      'BC7_UNORM',
      145,
      [0xc0, 0xff, 0x1f, 0, 0, 0, 0xfe, 0xff, 1, 0, 0, 0, 0, 0, 0, 0],
      [255, 1, 1],
    ],
    // Alpha of 255, then blue of 15 of 15 with modifier 2.
    ['ETC2_R8G8B8A8_SRGB', 152, [255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0], [0, 0, 255]],
    // A base of 255 in red, and of 0 in green.
    ['EAC_R11G11_UNORM', 155, [255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [254, 0, 0]],
    [
      'ASTC_6x6_UNORM',
      165,
      [0xfc, 0xfd, 255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255],
      [0, 255, 0],
    ],
  ])('draws a KTX 2 file in %s', async (_name, vkFormat, block, color) => {
    const renderer = makeRenderer();
    const container = ktx.createDefaultContainer();
    const levelData = Uint8Array.from(block);
    Object.assign(container, { vkFormat, pixelWidth: 4, pixelHeight: 4 });
    container.levels = [{ levelData, uncompressedByteLength: levelData.length }];
    const loader = new loaders.KTX2Loader().detectSupport(renderer);
    const file = ktx.write(container).slice().buffer;
    const texture = await new Promise<Texture>((resolve, reject) => {
      loader.parse(file, resolve, reject);
    });
    texture.needsUpdate = true;
    const drawn = drawTexture(renderer, texture, 8);
    const differences = color.map((value, i) => Math.abs(drawn[i]! - value));
    expect(Math.max(...differences)).toBeLessThanOrEqual(2);
  });

  it('finds formats for transcoding, except PVRTC and ASTC with a high dynamic range', () => {
    const { workerConfig } = new loaders.KTX2Loader().detectSupport(makeRenderer());
    expect(workerConfig).toEqual({
      astcSupported: true,
      astcHDRSupported: false,
      etc1Supported: true,
      etc2Supported: true,
      dxtSupported: true,
      bptcSupported: true,
      pvrtcSupported: false,
    });
  });
});

describe('Babylon.js', () => {
  it('finds the formats that it knows, except PVRTC', async () => {
    const path = '@babylonjs/core/Engines/engine.js';
    const { Engine } = (await import(path)) as {
      Engine: new (
        gl: WebGL2RenderingContext,
        antialias: boolean,
        options: object,
      ) => { getCaps(): Readonly<Record<string, unknown>> };
    };
    const gl = document.createElement('canvas').getContext('webgl2')!;
    const capabilities = new Engine(gl, false, { audioEngine: false }).getCaps();
    for (const name of ['s3tc', 's3tc_srgb', 'bptc', 'etc1', 'etc2', 'astc']) {
      expect(capabilities[name], name).toBeTruthy();
    }
    expect(capabilities.pvrtc).toBeFalsy();
  });
});
