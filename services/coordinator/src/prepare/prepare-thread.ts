/**
 * Thread of {@link ModelPreparer}: receives the files of a model, capture or native frame and sends
 * the prepared frame.
 */
import { parentPort } from 'node:worker_threads';
import { type ErrorCode, RenderError, type Sha256 } from '@tessera/frame';
import { type CopyBytes, postWithCopies } from '@tessera/wire/post-with-copies';
import { MissingResourcesError } from '../store/missing-resources.ts';
import type { PreparedModel } from './model-preparer.ts';
import { type PrepareRequest, prepareSource } from './prepare-source.ts';

/** First message of the thread, when its modules are loaded. */
export interface ThreadReady {
  readonly kind: 'ready';
}

/** Message from the thread. */
export type PrepareAnswer =
  | {
      readonly kind: 'prepared';
      readonly model: PreparedModel;
      /** Whether the thread holds much memory, including garbage. */
      readonly isLarge: boolean;
    }
  | {
      readonly kind: 'failed';
      /** Error code; null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string;
      /** Hashes of the missing resources, with RESOURCES_MISSING. */
      readonly missing: readonly Sha256[];
    };

/**
 * Memory of the thread, including garbage, above which it should end. It exceeds what the thread
 * holds after models of usual size with all programs in its cache, which the next thread must
 * compile again.
 */
const LARGE_BYTES = 2 ** 27;
/** Returns the model with its large arrays in memory of their own. */
function copyBulk(model: PreparedModel, copy: CopyBytes): PreparedModel {
  const { buffers, textures } = model.frame;
  return {
    ...model,
    frame: {
      ...model.frame,
      buffers: buffers.map((buffer) => ({ ...buffer, bytes: copy(buffer.bytes) })),
      textures: textures.map((texture) => ({ ...texture, levels: texture.levels.map(copy) })),
    },
  };
}

function holdsMuch(): boolean {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external > LARGE_BYTES;
}

parentPort?.on('message', async (request: PrepareRequest) => {
  try {
    const model = await prepareSource(request);
    postWithCopies(
      parentPort!, // The message came from this port.
      (copy): PrepareAnswer => ({
        kind: 'prepared',
        model: copyBulk(model, copy),
        isLarge: holdsMuch(),
      }),
    );
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    const missing = error instanceof MissingResourcesError ? error.missing : [];
    const answer: PrepareAnswer = {
      kind: 'failed',
      code,
      message,
      stack: stack ?? message,
      missing,
    };
    parentPort?.postMessage(answer);
  }
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReady);
