export { CHIPLET_ENDPOINT_PATH, isChipletReady, processInstance } from './chiplet-health.ts';
export { ThreadedChiplet, type ThreadedChipletOptions } from './chiplet-thread/threaded-chiplet.ts';
export { decodeMessage, type EncodedMessage, encodeMessage } from './codec/codec.ts';
export {
  Connection,
  type ConnectionListener,
  isSilence,
  type Transport,
} from './connection/connection.ts';
export { connectInMemory } from './connection/in-memory-connection.ts';
export { ReconnectingLink, type ReconnectingLinkOptions } from './connection/reconnecting-link.ts';
export {
  acceptWebSockets,
  connectWebSocket,
  MAX_MESSAGE_BYTES,
} from './connection/websocket-connection.ts';
export { ChipletServer, type ChipletServerOptions } from './coordinator-link/chiplet-server.ts';
export {
  CoordinatorLink,
  type CoordinatorLinkOptions,
} from './coordinator-link/coordinator-link.ts';
export {
  REJECTED_ANSWERS,
  type RejectedAnswer,
  RemoteChiplet,
  type RemoteChipletOptions,
  type StartTimer,
} from './coordinator-link/remote-chiplet.ts';
export {
  type BroadcastSink,
  CrosslinkClient,
  type CrosslinkClientOptions,
} from './crosslink/crosslink-client.ts';
export { CrosslinkServer, type CrosslinkServerOptions } from './crosslink/crosslink-server.ts';
export { type ChipletAccessVariables, readChipletAccess } from './environment/chiplet-access.ts';
export {
  bearerOf,
  checkSecret,
  ensureSecretFile,
  isLoopbackHost,
  isSameSecret,
  readSecret,
  readTextFile,
} from './environment/shared-secret.ts';
export { readTlsFiles, type TlsFiles } from './environment/tls-files.ts';
export { FrameTraces, type TraceField } from './messages/frame-traces.ts';
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
} from './messages/messages.ts';
export {
  type CoordinatorAnnouncement,
  resolveCoordinatorUrl,
} from './process/announced-address.ts';
export { type FailureLog, runOwned } from './process/run-owned.ts';
export { onStopRequest } from './process/stop-request.ts';
export { ResourceStore } from './resources/resource-store.ts';
export { MalformedError } from './validation/field-checks.ts';
export { validateMessage } from './validation/validate-message.ts';
export { watchEventLoop } from './watchdog/loop-watchdog.ts';
