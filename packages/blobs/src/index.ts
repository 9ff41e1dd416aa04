/** Content-addressed blobs that the processes of a cluster share. */
export {
  BlobDamagedError,
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
} from './blob-store.ts';
export { type BlobStoreOptions, openBlobStore } from './open-blob-store.ts';
