/** The examples of `npm start` are what their programs draw, and are rendered once. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordExampleFrame } from '../../scripts/generate/generate-example-frame.ts';
import { EXAMPLES, THREE_FRAME_FILE } from '../../scripts/launch/examples/examples.ts';
import { renderExamples } from '../../scripts/launch/render-examples.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

describe('examples of npm start', () => {
  it('are rendered once by a service, with names and a tag', async () => {
    const service = await startTestService({ workerCount: 2 });
    const render = () => Array.fromAsync(renderExamples({ ...service, headers: {} }));
    const paths = await render();
    expect(await render()).toEqual(paths);
    const answer = await fetch(`${service.url}/v1/frames?tag=example`);
    const { frames } = (await answer.json()) as {
      frames: readonly { name: string; status: string; warnings: readonly string[] }[];
    };
    expect(frames.map(({ name, status, warnings }) => [name, status, warnings])).toEqual(
      EXAMPLES.map(({ name }) => [name, 'done', []]).reverse(),
    );
    for (const path of paths) {
      const image = await fetch(service.url + path);
      // A shaded image, not a blank one.
      expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(20_000);
    }
  });

  it('include the current frame of the three.js program', async () => {
    const stored = gunzipSync(readFileSync(THREE_FRAME_FILE));
    expect(Buffer.from(await recordExampleFrame()).equals(stored)).toBe(true);
  });
});
