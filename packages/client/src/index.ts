/** A typed client of the service. */
export type * from './generated.ts';
export type { ServerSentEvent } from './server-sent-events.ts';
export {
  type AnswerOf,
  type CallOptions,
  type EventOperationName,
  type OperationName,
  TesseraClient,
  type TesseraClientOptions,
  TesseraError,
} from './tessera-client.ts';
export { type UploadContent, type UploadOptions, uploadBlob } from './upload-blob.ts';
