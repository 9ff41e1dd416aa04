/** Errors of the blob store as problems of the service. */
import { BlobMissingError, BlobStoreUnavailableError } from '@tessera/blobs';
import { RenderError, type Sha256 } from '@tessera/frame';

/** Returns the problem of a blob that is not stored. */
export function missingBlob(sha256: Sha256): RenderError {
  return new RenderError('NOT_FOUND', `blob ${sha256}: is not stored`);
}

/**
 * Passes an answer of the store through.
 *
 * @throws {RenderError} NOT_FOUND, BLOBS_UNAVAILABLE
 */
export async function asProblem<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BlobMissingError) throw missingBlob(error.sha256);
    if (!(error instanceof BlobStoreUnavailableError)) throw error;
    throw new RenderError('BLOBS_UNAVAILABLE', error.message, { cause: error });
  }
}
