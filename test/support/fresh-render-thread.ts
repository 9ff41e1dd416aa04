/** The thread of {@link renderFresh}. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { LocalGpu } from '@tessera/local-gpu';
import { type FrameInput, type FreshFrame, RENDERED_WITH } from './fresh-render.ts';

const input = workerData as FrameInput; // set by renderFresh

/**
 * Reads the input and imports only what its kind needs, because importing takes most of the
 * thread's time.
 */
async function readInput(gpu: LocalGpu) {
  const bytes = new Uint8Array(readFileSync(input.path));
  switch (input.kind) {
    case 'capture': {
      const { readCapture } = await import('@tessera/experiments/read-capture');
      return readCapture(bytes, input.frameIndex, gpu.programs).frame;
    }
    case 'native': {
      const { parseNativeFrame } = await import('@tessera/wire/native-frame');
      const read = (sha256: string) => readFileSync(join(input.contentsFolder, sha256));
      return parseNativeFrame(bytes, (sha256) => new Uint8Array(read(sha256)));
    }
    case 'model': {
      const { importGltf } = await import('@tessera/scenes');
      const { widthPx, heightPx } = input;
      return (await importGltf({ kind: 'glb', bytes }, { widthPx, heightPx, timeSeconds: 0 }))
        .frame;
    }
  }
}

async function renderFile(): Promise<FreshFrame> {
  const gpu = new LocalGpu(RENDERED_WITH);
  const frame = await readInput(gpu);
  const { image, report } = await gpu.render(frame, { ...RENDERED_WITH, timing: input.timing });
  return { image, report };
}

parentPort!.postMessage(await renderFile());
