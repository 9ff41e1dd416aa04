import { DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { createContext, createServiceContext } from '../create-context.ts';
import { createWindow } from '../dom/index.ts';
import { readDrawingBufferSize } from './check-options.ts';
import { readContextAttributes } from './context-attributes.ts';

const URL = 'http://127.0.0.1:9';
const link = { topology: 'ring', bytesPerCycle: 64, latencyCycles: 0 } as const;

describe('createContext', () => {
  it('accepts every option', () => {
    const gl = createContext(8, 8, {
      alpha: true,
      depth: true,
      stencil: false,
      antialias: true,
      premultipliedAlpha: true,
      preserveDrawingBuffer: false,
      powerPreference: 'low-power',
      desynchronized: false,
      failIfMajorPerformanceCaveat: false,
      createWebGL2Context: true,
      onError: () => {},
      onInternalFailure: () => {},
      gpu: {
        chipletCount: 3,
        policy: 'dynamic',
        timing: 'cycle',
        visibilityShader: 'auto',
        overlap: 'none',
        splits: 0,
        interconnect: link,
        grid: { kind: 'shape', columns: 2, rows: 1 },
        spec: defineChipletSpec({ smCount: 2 }),
      },
    });
    expect(gl.getContextAttributes()).toMatchObject({ antialias: true, alpha: true });
    expect(gl.frame().image.widthPx).toBe(8);
  });

  it('treats undefined values as missing, and accepts no options', () => {
    expect(createContext(8, 8, { alpha: undefined, gpu: { timing: undefined } })).not.toBeNull();
    expect(createContext(8, 8, null)).not.toBeNull();
    expect(createContext(8, 8)).not.toBeNull();
  });

  it.each([
    [{ antialiass: true }, 'antialiass: unknown option; the options are alpha, depth, '],
    [{ service: { url: URL } }, 'service: unknown option'],
    [{ alpha: 'no' }, "alpha: 'no' is not true or false"],
    [
      { powerPreference: 'max' },
      "powerPreference: 'max' is not one of default, high-performance, ",
    ],
    [{ onError: 'throw' }, "onError: 'throw' is not a function"],
    [{ gpu: 5 }, 'gpu: 5 is not an options object'],
    [{ gpu: { chiplets: 5 } }, 'gpu.chiplets: unknown option; the options are chipletCount, '],
    [{ gpu: { binCount: -1 } }, 'gpu.binCount: unknown option'],
    [{ gpu: { chipletCount: 0 } }, 'gpu.chipletCount: 0 is not an integer from 1 to 1024'],
    [{ gpu: { timing: 'fast' } }, "gpu.timing: 'fast' is not one of functional, cycle"],
    [{ gpu: { policy: 'best' } }, "gpu.policy: 'best' is not one of "],
    [
      { gpu: { visibilityShader: true } },
      'gpu.visibilityShader: true is not one of minimal, full, auto',
    ],
    [{ gpu: { overlap: 1 } }, 'gpu.overlap: 1 is not one of none, '],
    [{ gpu: { splits: 1.5 } }, 'gpu.splits: 1.5 is not an integer from 0 to '],
    [
      { gpu: { grid: 32 } },
      'gpu.grid.kind: undefined is not one of bins, shape, per-chiplet, auto',
    ],
    [{ gpu: { grid: { kind: 'bins' } } }, 'gpu.grid.count: a value is required'],
    [{ gpu: { grid: { kind: 'auto', count: 3 } } }, 'gpu.grid.count: unknown option'],
    [{ gpu: { grid: { kind: 'bins', count: 0 } } }, 'gpu.grid.count: 0 is not an integer from 1'],
    [
      { gpu: { interconnect: { topology: 'bus' } } },
      'gpu.interconnect.bytesPerCycle: a value is required',
    ],
    [
      { gpu: { interconnect: { ...link, topology: 'star' } } },
      "gpu.interconnect.topology: 'star' is not one of bus, ring, full, mesh",
    ],
    [
      { gpu: { interconnect: { ...link, topology: 'mesh' }, timing: 'cycle', coupling: 'none' } },
      "gpu: link topology: 'mesh' needs timing cycle and coupling exact",
    ],
    [
      { gpu: { grid: { kind: 'shape', columns: 64, rows: 17 } } },
      'gpu.grid: 64 columns × 17 rows are more than 1024 bins',
    ],
    [
      { gpu: { chipletCount: 257, timing: 'cycle' } },
      'gpu: coupling=exact: 257 chiplets; at most 256, and 1024 with coupling=none',
    ],
    [{ gpu: { placement: 'kept' } }, "gpu.placement: 'kept' is not an options object"],
    [{ gpu: { spec: 'loongson' } }, 'gpu.spec: loongson is not a specification'],
    [
      { gpu: { spec: { ...DEFAULT_CHIPLET_SPEC, l2CacheBytes: 1000 } } },
      'gpu.spec.l2CacheBytes: 1000 is not an integer from 4096 to 67108864',
    ],
    [{ gpu: { spec: { smCount: 8 } } }, 'gpu.spec.name: missing'],
    [
      { gpu: { spec: { ...DEFAULT_CHIPLET_SPEC, smCountt: 3 } } },
      'gpu.spec.smCountt: unknown field',
    ],
  ])('rejects %j by name', (options, message) => {
    expect(() => createContext(8, 8, options as object)).toThrow(message);
  });
});

describe('the size of a drawing buffer', () => {
  it.each([
    ['64', '8', [64, 8]],
    [8.5, '8.9', [8, 8]],
    [1, 8192, [1, 8192]],
  ])('is read from %j×%j as in headless-gl', (width, height, size) => {
    expect(readDrawingBufferSize(width, height)).toEqual(size);
    const gl = createContext(width as number, height as number);
    expect([gl.drawingBufferWidth, gl.drawingBufferHeight]).toEqual(size);
  });

  it.each([
    [0, 10, 'width: 0 is not a number of pixels from 1 to 8192'],
    [0.5, 10, 'width: 0.5 is not'],
    [20_000, 64, 'width: 20000 is not'],
    [Number.NaN, 64, 'width: NaN is not'],
    [64, '64px', "height: '64px' is not"],
    [64, '', "height: '' is not"],
    [64, true, 'height: true is not'],
    [64, null, 'height: null is not'],
    [64, undefined, 'height: undefined is not'],
    [64, [64], 'height: an object is not'],
  ])('rejects %j×%j by name', (width, height, message) => {
    const create = () => createContext(width, height as number);
    expect(create).toThrow(RangeError);
    expect(create).toThrow(message);
  });
});

describe('createServiceContext', () => {
  it.each([
    [{}, 'service: a value is required'],
    [{ service: {} }, 'service.url: a value is required'],
    [{ service: { url: 8080 } }, 'service.url: 8080 is not a string'],
    [{ service: { url: URL, tokn: 'x' } }, 'service.tokn: unknown option'],
    [{ service: { url: URL }, gpu: {} }, 'gpu: unknown option'],
    [undefined, 'options: undefined is not an options object'],
  ])('rejects %j by name', (options, message) => {
    expect(() => createServiceContext(8, 8, options as never)).toThrow(message);
  });
});

describe('getContext of a canvas', () => {
  it('converts the attributes of WebGL as WebIDL does, and ignores others', () => {
    const { document } = createWindow();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [0, 100_000];
    const attributes = { alpha: 0, stencil: 'yes', majorVersion: 2, gpu: { timing: 'fast' } };
    const gl = canvas.getContext('webgl2', attributes) as unknown as WebGL2RenderingContext;
    expect(gl.getContextAttributes()).toMatchObject({ alpha: false, stencil: true });
    expect([gl.drawingBufferWidth, gl.drawingBufferHeight]).toEqual([1, 8192]);
    expect(() => readContextAttributes({ powerPreference: 'max' })).toThrow(TypeError);
  });
});
