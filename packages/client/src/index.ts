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
