export { type CoordinatorAnnouncement, resolveCoordinatorUrl } from './announced-address.ts';
export { type ChipletAccessVariables, readChipletAccess } from './chiplet-access.ts';
export {
  REJECTED_ANSWERS,
  type RejectedAnswer,
  RemoteChiplet,
  type RemoteChipletOptions,
  type StartTimer,
} from './chiplet-client.ts';
export { CHIPLET_ENDPOINT_PATH, isChipletReady, processInstance } from './chiplet-health.ts';
export { ChipletServer, type ChipletServerOptions } from './chiplet-server.ts';
export { ThreadedChiplet, type ThreadedChipletOptions } from './chiplet-thread/threaded-chiplet.ts';
export { decodeMessage, type EncodedMessage, encodeMessage } from './codec.ts';
export { Connection, type ConnectionListener, isSilence, type Transport } from './connection.ts';
export { CoordinatorLink, type CoordinatorLinkOptions } from './coordinator-link.ts';
export {
  type BroadcastSink,
  CrosslinkClient,
  type CrosslinkClientOptions,
} from './crosslink-client.ts';
export { CrosslinkServer, type CrosslinkServerOptions } from './crosslink-server.ts';
export { MalformedError } from './field-checks.ts';
export { FrameTraces, type TraceField } from './frame-traces.ts';
export { connectInMemory } from './in-memory-connection.ts';
export {
  CHIPLET_ROLES,
  type ChipletRole,
  type Endpoint,
  MESSAGES,
  type Message,
  type MessageOf,
  type MessageType,
  PROTOCOL_VERSION,
  type Resource,
  type ResourceKind,
  type ResourceName,
} from './messages.ts';
export { ReconnectingLink, type ReconnectingLinkOptions } from './reconnecting-link.ts';
export { ResourceStore } from './resource-store.ts';
export { type FailureLog, runOwned } from './run-owned.ts';
export {
  bearerOf,
  checkSecret,
  ensureSecretFile,
  isLoopbackHost,
  isSameSecret,
  readSecret,
  readTextFile,
} from './shared-secret.ts';
export { onStopRequest } from './stop-request.ts';
export { readTlsFiles, type TlsFiles } from './tls-files.ts';
export { validateMessage } from './validate-message.ts';
export { watchEventLoop } from './watchdog/loop-watchdog.ts';
export { acceptWebSockets, connectWebSocket, MAX_MESSAGE_BYTES } from './websocket-connection.ts';
