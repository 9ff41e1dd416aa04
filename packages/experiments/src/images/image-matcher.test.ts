import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { createContext } from '@tessera/webgl';
import { afterAll, describe, expect, it } from 'vitest';
import { toMatchImage } from './image-matcher.ts';
import './vitest-matcher.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-matcher-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Draws a 10×10 frame of one color. */
function drawFrame(red: number) {
  const gl = createContext(10, 10);
  gl.clearColor(red / 255, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl.frame();
}

describe('toMatchImage', () => {
  const golden = join(folder, 'golden.png');

  it('accepts differences up to 8, and up to the share of pixels', async () => {
    const frame = drawFrame(100);
    writeFileSync(golden, await frame.png());
    await expect(drawFrame(108)).toMatchImage(golden);
    expect(existsSync(join(folder, 'golden-actual.png'))).toBe(false);
    frame.image.rgba[0] = 0;
    await expect(frame).toMatchImage(golden, { maxOver8: 0.01 });
    await expect(frame).not.toMatchImage(golden, { maxOver8: 0.009 });
  });

  it('names the pixels of a mismatch, and writes the image and its difference', async () => {
    await expect(expect(drawFrame(109)).toMatchImage(golden)).rejects.toThrow(
      `100 of 100 pixels (100.0000 %) differ from ${golden} by more than 8 of 255, at most 0`,
    );
    await expect(drawFrame(108)).toMatchImage(join(folder, 'golden-actual.png'));
    expect(existsSync(join(folder, 'golden-difference.png'))).toBe(true);
  });

  it('rejects another size and a wrong share', async () => {
    const image = { widthPx: 2, heightPx: 1, rgba: new Uint8Array(8) };
    writeFileSync(join(folder, 'small.png'), await encodePng(image));
    const match = expect(drawFrame(0)).toMatchImage(join(folder, 'small.png'));
    await expect(match).rejects.toThrow('10×10, but ');
    const wrong = expect(drawFrame(0)).toMatchImage(golden, { maxOver8: 2 });
    await expect(wrong).rejects.toThrow('maxOver8: 2 is not a share from 0 to 1');
    const text = expect(drawFrame(0)).toMatchImage(golden, { maxOver8: 'many' });
    await expect(text).rejects.toThrow("maxOver8: 'many'");
  });

  it('reads the bound as the command line does', async () => {
    const frame = drawFrame(100);
    frame.image.rgba[0] = 0;
    await expect(frame).toMatchImage(golden, { maxOver8: '1%' });
    await expect(frame).toMatchImage(golden, { maxOver8: '1' });
    await expect(frame).not.toMatchImage(golden, { maxOver8: '0.5%' });
  });

  it('accepts an image, and names other values', async () => {
    await expect(drawFrame(100).image).toMatchImage(golden);
    const wrong = expect(Promise.resolve(drawFrame(100))).toMatchImage(golden);
    await expect(wrong).rejects.toThrow('neither a frame nor an image; await it first');
  });
});

describe('references of toMatchImage', () => {
  const testPath = join(folder, 'cube.test.ts');
  const match = (state: object, red: number, path: string) =>
    toMatchImage.call({ testPath, ...state }, drawFrame(red), path);

  it('are created beside the test where they are missing', async () => {
    const snapshotState = { snapshotUpdateState: 'new', added: 0, updated: 0 };
    const { pass } = await match({ snapshotState }, 50, 'images/new.png');
    expect(pass).toBe(true);
    expect(snapshotState).toMatchObject({ added: 1, updated: 0 });
    await expect(drawFrame(50)).toMatchImage(join(folder, 'images/new.png'));
    expect((await match({ snapshotState }, 90, 'images/new.png')).pass).toBe(false);
  });

  it('are missing in CI', async () => {
    const snapshotState = { snapshotUpdateState: 'none' };
    const { pass, message } = await match({ snapshotState }, 50, 'missing.png');
    expect(pass).toBe(false);
    expect(message()).toContain('missing.png is missing, and this run writes no references');
    expect(existsSync(join(folder, 'missing.png'))).toBe(false);
    expect(existsSync(join(folder, 'missing-actual.png'))).toBe(true);
    const negated = await match({ snapshotState, isNot: true }, 50, 'missing.png');
    expect(negated.pass).toBe(true);
  });

  it('are updated by -u where they differ, in vitest and in Jest', async () => {
    const path = join(folder, 'updated.png');
    writeFileSync(path, await drawFrame(100).png());
    const before = readFileSync(path);
    const snapshotState = { _updateSnapshot: 'all', added: 0, updated: 0 };
    await match({ snapshotState }, 104, 'updated.png');
    expect(readFileSync(path)).toEqual(before);
    expect((await match({ snapshotState }, 200, 'updated.png')).pass).toBe(true);
    expect(snapshotState).toMatchObject({ added: 0, updated: 1 });
    await expect(drawFrame(200)).toMatchImage(path);
  });
});
