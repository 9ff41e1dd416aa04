/** Store of files that only counts them, because a disk is slower than the reader of forms. */
import { RenderError } from '@tessera/frame';
import type { ReceiveOptions } from '../../../services/coordinator/src/http/frames/frame-body.ts';

type Blobs = ReceiveOptions['blobs'];

/** Counts the files that are held. */
export class CountingBlobs implements Blobs {
  heldCount = 0;

  writeStream: Blobs['writeStream'] = async (stream, maxBytes) => {
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new RenderError('LIMIT_EXCEEDED', `body: more than ${maxBytes}`);
    }
    this.heldCount++;
    return { sha256: '0'.repeat(64), bytes };
  };

  release: Blobs['release'] = (files) => {
    this.heldCount -= [...files].length;
  };
}
