/**
 * The table of messages between the processes of the service, and the type of each.
 *
 * There are two links. On the coordinator's link (`/chiplets` on its HTTP port) every chiplet
 * registers and receives requests. On the crosslink the visibility chiplet broadcasts to the
 * workers.
 */
import type {
  BinResult,
  BufferResource,
  ChipletId,
  ErrorCode,
  FrameCommands,
  FrameId,
  RenderBinRequest,
  Sha256,
  ShaderProgram,
  TextureResource,
  VisibilityStream,
  VisibilitySummary,
} from '@tessera/frame';
import type { TraceField } from './frame-traces.ts';

/** Version of the protocol, which must be the same at both ends of a connection. */
export const PROTOCOL_VERSION = 5;

/** Endpoints of the two links. */
export type Endpoint = 'coordinator' | 'chiplet' | 'crosslink-server' | 'crosslink-client';

/** Receivers and meaning of a message. */
export interface MessageInfo {
  /** Endpoints that accept the message. Any other endpoint closes the connection. */
  readonly receivers: readonly Endpoint[];
  readonly meaning: string;
}

const ALL_ENDS = ['coordinator', 'chiplet', 'crosslink-server', 'crosslink-client'] as const;

/** All messages by type. */
export const MESSAGES = {
  hello: {
    receivers: ['coordinator'],
    meaning: 'registers a chiplet: version, role, specification, address of its crosslink',
  },
  welcome: {
    receivers: ['chiplet'],
    meaning: 'confirms the registration: number of the chiplet, address of the crosslink',
  },
  crosslinkAddress: {
    receivers: ['chiplet'],
    meaning:
      'the address of the crosslink changed, because the visibility chiplet connected or was lost',
  },
  ready: {
    receivers: ['coordinator'],
    meaning: 'whether the chiplet can render bins; a worker can while its crosslink is up',
  },
  computeVisibility: {
    receivers: ['chiplet'],
    meaning: 'run the visibility phase of one pass and broadcast it',
  },
  visibilityDone: { receivers: ['coordinator'], meaning: 'summary of the visibility phase' },
  visibilityFailed: { receivers: ['coordinator'], meaning: 'the visibility phase failed' },
  renderBin: { receivers: ['chiplet'], meaning: 'render one coarse bin' },
  binDone: {
    receivers: ['coordinator'],
    meaning: 'pixels and counters of one coarse bin, and its records if they are timed later',
  },
  binFailed: { receivers: ['coordinator'], meaning: 'a coarse bin failed' },
  releaseFrame: {
    receivers: ['chiplet', 'crosslink-client'],
    meaning: 'release a frame; bins that have not started are dropped without an answer',
  },
  resource: {
    receivers: ['chiplet', 'crosslink-client'],
    meaning: 'a buffer, texture or program that a later message names by its hash',
  },
  resourcesMissing: {
    receivers: ['coordinator', 'crosslink-server'],
    meaning: 'the receiver of commands does not have these resources, or has evicted them',
  },
  crosslinkHello: {
    receivers: ['crosslink-server'],
    meaning:
      'a worker joins the crosslink and requests the visibility of all frames in progress: version, number, resources that it holds',
  },
  crosslinkWelcome: {
    receivers: ['crosslink-client'],
    meaning: 'confirms the join; broadcasts of these frames follow, all other frames are finished',
  },
  frameBroadcast: {
    receivers: ['crosslink-client'],
    meaning: 'commands and visibility stream of one pass of a frame',
  },
  broadcastHeld: {
    receivers: ['crosslink-server'],
    meaning: 'the worker has a broadcast with all its resources and can render from it',
  },
  ping: { receivers: ALL_ENDS, meaning: 'requests a pong' },
  pong: { receivers: ALL_ENDS, meaning: 'answers a ping' },
} as const satisfies Record<string, MessageInfo>;

/** Type of a message, a key of {@link MESSAGES}. */
export type MessageType = keyof typeof MESSAGES;

/** Roles that a chiplet can register as. */
export const CHIPLET_ROLES = ['visibility', 'worker'] as const;
/** Name of a role of {@link CHIPLET_ROLES}. */
export type ChipletRole = (typeof CHIPLET_ROLES)[number];

/** An error in a message; a bug has the code INTERNAL. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A bulk resource of a prepared frame, by kind. */
export type Resource =
  | { readonly kind: 'buffer'; readonly resource: BufferResource }
  | { readonly kind: 'texture'; readonly resource: TextureResource }
  | { readonly kind: 'program'; readonly resource: ShaderProgram };
/** Kind of a bulk resource. */
export type ResourceKind = Resource['kind'];

/** Kind and hash of a bulk resource. */
export interface ResourceName {
  readonly kind: ResourceKind;
  readonly sha256: Sha256;
}

/** Fields of each message in addition to its `type`. */
interface MessageFields {
  hello: {
    readonly protocolVersion: number;
    readonly role: ChipletRole;
    /** Address of the crosslink for workers; null unless it is the visibility chiplet. */
    readonly crosslinkUrl: string | null;
    /** Host name and process id of the chiplet, for logs. */
    readonly instance: string;
  };
  welcome: { readonly chipletId: ChipletId; readonly crosslinkUrl: string | null };
  crosslinkAddress: { readonly crosslinkUrl: string | null };
  ready: { readonly isReady: boolean };
  computeVisibility: TraceField & {
    readonly requestId: number;
    readonly frameId: FrameId;
    readonly passIndex: number;
    readonly commands: FrameCommands;
  };
  visibilityDone: TraceField & { readonly requestId: number; readonly summary: VisibilitySummary };
  visibilityFailed: TraceField & { readonly requestId: number; readonly error: WireError };
  renderBin: TraceField & { readonly requestId: number; readonly request: RenderBinRequest };
  binDone: TraceField & { readonly requestId: number; readonly result: BinResult };
  binFailed: TraceField & { readonly requestId: number; readonly error: WireError };
  releaseFrame: TraceField & { readonly frameId: FrameId };
  resource: Resource;
  resourcesMissing: { readonly resources: readonly ResourceName[] };
  crosslinkHello: {
    readonly protocolVersion: number;
    readonly chipletId: ChipletId;
    readonly held: readonly ResourceName[];
  };
  crosslinkWelcome: { readonly frameIds: readonly FrameId[] };
  frameBroadcast: TraceField & {
    readonly frameId: FrameId;
    readonly commands: FrameCommands;
    readonly visibility: VisibilityStream;
  };
  broadcastHeld: TraceField & { readonly frameId: FrameId; readonly passIndex: number };
  ping: { readonly sequence: number };
  pong: { readonly sequence: number };
}

/** A message of any type. */
export type Message = {
  [Type in MessageType]: { readonly type: Type } & MessageFields[Type];
}[MessageType];

/** Message of one type. */
export type MessageOf<Type extends MessageType> = Extract<Message, { type: Type }>;
