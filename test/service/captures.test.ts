/** Captures of OpenGL programs over HTTP. */
import type { Report } from '@tessera/frame';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const COLOR_BUFFER_BIT = 0x4000;
const TRIANGLES = 4;
const FLOAT = 0x1406;
const CALL_LIMIT = 100;
const PIXEL_LIMIT = 10_000;

const VERTEX = 'attribute vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }';
const FRAGMENT = 'uniform vec4 tint; void main() { gl_FragColor = tint; }';

/**
 * Returns the capture of a program that clears to red and, in the second frame, draws a green
 * triangle over the lower left.
 */
function writeCapture(widthPx = 64, heightPx = 48, fragment = FRAGMENT): CaptureWriter {
  const corners = Float32Array.of(-1, -1, 1, -1, -1, 1);
  const swap = { dpy: 1, drawable: 7 };
  const clear = { mask: COLOR_BUFFER_BIT };
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: widthPx, height: heightPx }, null, 1)
    .call('XPending')
    .call('glClearColor', { red: 1, green: 0, blue: 0, alpha: 1 })
    .call('glClear', clear)
    .call('glXSwapBuffers', swap)
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glCreateShader', { type: 0x8b30 }, 2)
    .call('glShaderSource', { shader: 1, count: 1, string: [VERTEX], length: null })
    .call('glShaderSource', { shader: 2, count: 1, string: [fragment], length: null })
    .call('glCompileShader', { shader: 1 })
    .call('glCompileShader', { shader: 2 })
    .call('glCreateProgram', {}, 3)
    .call('glAttachShader', { program: 3, shader: 1 })
    .call('glAttachShader', { program: 3, shader: 2 })
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glGetUniformLocation', { program: 3, name: 'tint' }, 5)
    .call('glUniform4f', { location: 5, v0: 0, v1: 1, v2: 0, v3: 1 })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glVertexAttribPointer', {
      index: 0,
      size: 2,
      type: FLOAT,
      normalized: false,
      stride: 0,
      pointer: new Uint8Array(corners.buffer),
    })
    .call('glClear', clear)
    .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 })
    .call('glXSwapBuffers', swap);
}

describe('captures over HTTP', () => {
  let url: string;

  beforeAll(async () => {
    ({ url } = await startTestService({
      workerCount: 2,
      environment: {
        TESSERA_CAPTURE_CALLS: String(CALL_LIMIT),
        TESSERA_MAX_PIXELS: String(PIXEL_LIMIT),
      },
    }));
  });

  function postCapture(file: Uint8Array, query = '', headers: Record<string, string> = {}) {
    return postModel(url, file, query, { 'Content-Type': 'application/vnd.apitrace', ...headers });
  }

  async function problemOf(response: Response): Promise<[number, string, string]> {
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return [response.status, code, detail];
  }

  it.each(['functional', 'cycle'])('renders a frame of a capture (timing %s)', async (timing) => {
    const response = await postCapture(writeCapture().finish(), `?frame=1&timing=${timing}`, {
      Accept: 'image/png',
    });
    expect(response.status).toBe(200);
    const image = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect([image.width, image.height]).toEqual([64, 48]);
    const pixelAt = (x: number, y: number) => [
      ...image.data.subarray((y * 64 + x) * 4).subarray(0, 3),
    ];
    expect([pixelAt(2, 45), pixelAt(61, 2)]).toEqual([
      [0, 255, 0],
      [255, 0, 0],
    ]);
  });

  it('renders frames of a program that does not swap', async () => {
    // After both swaps: a blue clear of the screen, then a framebuffer with a yellow corner.
    const texture = { target: 0x0de1, level: 0 };
    const writer = writeCapture()
      .call('glClearColor', { red: 0, green: 0, blue: 1, alpha: 1 })
      .call('glClear', { mask: COLOR_BUFFER_BIT })
      .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 });
    const finished = writer.enter('glFinish');
    writer
      .leave(finished)
      .call('glGenTextures', { n: 1, textures: [31] })
      .call('glBindTexture', { target: 0x0de1, texture: 31 })
      .call('glTexImage2D', {
        ...{ ...texture, internalformat: 0x8058, width: 16, height: 8, border: 0 },
        ...{ format: 0x1908, type: 0x1401, pixels: null },
      })
      .call('glGenFramebuffers', { n: 1, framebuffers: [41] })
      .call('glBindFramebuffer', { target: 0x8d40, framebuffer: 41 })
      .call('glFramebufferTexture2D', {
        ...{ target: 0x8d40, attachment: 0x8ce0, textarget: 0x0de1, texture: 31, level: 0 },
      })
      .call('glViewport', { x: 0, y: 0, width: 16, height: 8 })
      .call('glUniform4f', { location: 5, v0: 1, v1: 1, v2: 0, v3: 1 })
      .call('glClear', { mask: COLOR_BUFFER_BIT })
      .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 });
    const file = writer.finish();
    const cornersOf = async (query: string) => {
      const response = await postCapture(file, query, { Accept: 'image/png' });
      expect(response.status, await response.clone().text()).toBe(200);
      const { width, height, data } = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
      const pixel = (x: number, y: number) => [
        ...data.subarray(4 * (y * width + x)).subarray(0, 3),
      ];
      return { size: [width, height], corners: [pixel(1, height - 2), pixel(width - 2, 1)] };
    };
    const screen = {
      size: [64, 48],
      corners: [
        [0, 255, 0],
        [0, 0, 255],
      ],
    };
    const framebuffer = {
      size: [16, 8],
      corners: [
        [255, 255, 0],
        [0, 0, 255],
      ],
    };
    expect(await cornersOf(`?call=${finished}`)).toEqual(screen);
    for (const query of ['?frame=2', '?frame=end', '?frame=last']) {
      expect(await cornersOf(query)).toEqual(framebuffer);
    }
    const refused = await postCapture(file, '?frame=end&call=3');
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      400,
      'query.call: does not apply together with frame',
    ]);
  });

  it('renders the first frame by default, and warns about skipped ones', async () => {
    const admitted = await postCapture(writeCapture().finish('gzip'), '', { Prefer: '' });
    expect(admitted.status).toBe(202);
    const status = (await admitted.json()) as { id: string; model: string; warnings: string[] };
    expect(status.warnings).toEqual([
      'function XPending is unknown and was ignored',
      'frame 0 draws nothing; `capture info` lists frames with their draws',
    ]);
    expect(status.model).toMatch(/^application\/vnd.apitrace, \d+ bytes$/);
    const response = await postCapture(writeCapture().finish());
    const report = (await response.json()) as Report;
    expect(report.frame).toMatchObject({ widthPx: 64, heightPx: 48 });
    expect(report.totals.primitives).toBe(0);
  });

  it.each([
    ['?width=100&height=100', 'query.width'],
    ['?height=100', 'query.height'],
    ['?camera=0', 'query.camera'],
    ['?time=0', 'query.time'],
    ['?frame=-1', 'query.frame'],
    ['?frame=2', 'the capture has only 2 frames'],
  ])('refuses %s', async (query, place) => {
    const [status, , detail] = await problemOf(await postCapture(writeCapture().finish(), query));
    expect([status, detail]).toEqual([400, expect.stringContaining(place)]);
  });

  it('refuses a frame number for a model', async () => {
    const [status, , detail] = await problemOf(
      await postModel(url, await makeModelGlb(), '?frame=0&width=9&height=9'),
    );
    expect([status, detail]).toEqual([
      400,
      'query.frame: a model has one frame; only a capture has several',
    ]);
  });

  it('names the byte or call of an invalid capture, and continues', async () => {
    const file = writeCapture().finish();
    const post = async (body: Uint8Array, query = '?frame=1') =>
      problemOf(await postCapture(body, query));
    expect(await post(file.slice(0, 500))).toEqual([
      400,
      'FRAME_INVALID',
      expect.stringMatching(/^chunk at byte 2: \d+ bytes announced/),
    ]);
    expect(await post(new CaptureWriter().call('f').raw(7).finish())).toEqual([
      400,
      'FRAME_INVALID',
      expect.stringMatching(/decompressed byte \d+: event 7/),
    ]);
    expect(
      await post(
        writeCapture().call('glDispatchCompute', { num_groups_x: 1 }).finish(),
        '?frame=2',
      ),
    ).toEqual([
      422,
      'FRAME_UNSUPPORTED',
      'call 26 (glDispatchCompute): the function is not supported',
    ]);
    expect(
      await post(writeCapture(64, 48, 'void main() { gl_FragColor = nothing; }').finish()),
    ).toEqual([
      400,
      'SHADER_COMPILE_FAILED',
      expect.stringMatching(/^call 18 \(glUseProgram\).*'nothing'/s),
    ]);
    expect(await post(new Uint8Array(0))).toEqual([400, 'REQUEST_INVALID', expect.any(String)]);
    expect((await postCapture(file)).status).toBe(200);
  });

  it('bounds calls, pixels and the size of decompressed bombs', async () => {
    const post = async (body: Uint8Array) => problemOf(await postCapture(body));
    const long = new CaptureWriter();
    for (let i = 0; i <= CALL_LIMIT; i++) long.call('glFlush');
    expect(await post(long.finish())).toEqual([
      413,
      'LIMIT_EXCEEDED',
      `the capture has more than ${CALL_LIMIT} calls`,
    ]);
    expect(await post(writeCapture(PIXEL_LIMIT + 1, 1).finish())).toEqual([
      expect.any(Number),
      'LIMIT_EXCEEDED',
      expect.stringContaining(String(PIXEL_LIMIT + 1)),
    ]);
    expect(await post(writeCapture(101, 100).finish())).toEqual([
      413,
      'LIMIT_EXCEEDED',
      `the capture's window: 101×100, 10100 pixels; at most ${PIXEL_LIMIT}`,
    ]);
    // A snappy block that announces two gigabytes and contains eight bytes.
    const bomb = Uint8Array.of(0x61, 0x74, 8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 7, 0xfe, 1, 0);
    expect(await post(bomb)).toEqual([400, 'FRAME_INVALID', expect.stringContaining('announces')]);
  });

  it('documents the media type and the query', async () => {
    const document = JSON.stringify(await (await fetch(`${url}/openapi.json`)).json());
    expect(document).toContain('application/vnd.apitrace');
    expect(document).toContain('counted in buffer swaps');
  });
});
