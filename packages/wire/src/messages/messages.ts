/**
 * THE table of messages between the processes of the service, and the type of each.
 *
 * Two links: the coordinator's (`/chiplets` on its HTTP port), where every chiplet registers and is
 * driven, and the crosslink, where the visibility chiplet broadcasts to the workers. docs/formats.md
 * describes both for those who want to write a chiplet of their own.
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
  SpecSummary,
  TextureResource,
  VisibilityStream,
  VisibilitySummary,
} from '@tessera/frame';
import type { TraceField } from './frame-traces.ts';

/** Both ends of a connection must speak the same version. */
export const PROTOCOL_VERSION = 2;

/** The ends of the two links. */
export type Endpoint = 'coordinator' | 'chiplet' | 'crosslink-server' | 'crosslink-client';

export interface MessageInfo {
  /** Ends that may be sent this message; any other closes the connection on it. */
  readonly receivers: readonly Endpoint[];
  readonly meaning: string;
}

const ALL_ENDS = ['coordinator', 'chiplet', 'crosslink-server', 'crosslink-client'] as const;

export const MESSAGES = {
  hello: {
    receivers: ['coordinator'],
    meaning: 'a chiplet registers: version, role, specification, address of its crosslink',
  },
  welcome: {
    receivers: ['chiplet'],
    meaning: 'the chiplet is registered: its number and the address of the crosslink',
  },
  crosslinkAddress: {
    receivers: ['chiplet'],
    meaning: 'the visibility chiplet came, moved or went',
  },
  ready: {
    receivers: ['coordinator'],
    meaning: 'whether the chiplet can be given bins: for a worker, whether its crosslink is up',
  },
  computeVisibility: {
    receivers: ['chiplet'],
    meaning: 'run the visibility phase of one pass and broadcast it',
  },
  visibilityDone: { receivers: ['coordinator'], meaning: 'summary of the visibility phase' },
  visibilityFailed: { receivers: ['coordinator'], meaning: 'the visibility phase failed' },
  renderBin: { receivers: ['chiplet'], meaning: 'render one coarse bin' },
  binDone: { receivers: ['coordinator'], meaning: 'pixels and counters of one coarse bin' },
  binFailed: { receivers: ['coordinator'], meaning: 'a coarse bin failed' },
  releaseFrame: {
    receivers: ['chiplet', 'crosslink-client'],
    meaning: 'forget a frame; bins that were not begun are dropped without an answer',
  },
  resource: {
    receivers: ['chiplet', 'crosslink-client'],
    meaning: 'a buffer, texture or program that a later message names by its hash',
  },
  resourcesMissing: {
    receivers: ['coordinator', 'crosslink-server'],
    meaning: 'the receiver of commands does not hold these resources (any more)',
  },
  crosslinkHello: {
    receivers: ['crosslink-server'],
    meaning:
      'a worker joins the crosslink and asks for the visibility of all frames at work: version, number, resources that it holds',
  },
  crosslinkWelcome: {
    receivers: ['crosslink-client'],
    meaning: 'the worker joined; broadcasts of these frames follow, all other frames are over',
  },
  frameBroadcast: {
    receivers: ['crosslink-client'],
    meaning: 'commands and visibility stream of one pass of a frame',
  },
  broadcastHeld: {
    receivers: ['crosslink-server'],
    meaning: 'the worker has a broadcast with all resources that it names, and can render from it',
  },
  ping: { receivers: ALL_ENDS, meaning: 'asks for a pong' },
  pong: { receivers: ALL_ENDS, meaning: 'answers a ping' },
} as const satisfies Record<string, MessageInfo>;

export type MessageType = keyof typeof MESSAGES;

/** What a chiplet is registered as. */
export const CHIPLET_ROLES = ['visibility', 'worker'] as const;
export type ChipletRole = (typeof CHIPLET_ROLES)[number];

/** An error as it crosses the wire; a bug has the code INTERNAL. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A bulk resource of a prepared frame, by kind. */
export type Resource =
  | { readonly kind: 'buffer'; readonly resource: BufferResource }
  | { readonly kind: 'texture'; readonly resource: TextureResource }
  | { readonly kind: 'program'; readonly resource: ShaderProgram };
export type ResourceKind = Resource['kind'];

export interface ResourceName {
  readonly kind: ResourceKind;
  readonly sha256: Sha256;
}

/** The fields of each message beside its `type`. */
interface MessageFields {
  hello: {
    readonly protocolVersion: number;
    readonly role: ChipletRole;
    /** What frames are simulated on that ask for nothing else. */
    readonly spec: SpecSummary;
    /** All that a frame may ask for by name, `spec` among them. */
    readonly presets: readonly SpecSummary[];
    /** Where workers reach the crosslink; visibility chiplet only, else null. */
    readonly crosslinkUrl: string | null;
    /** Host name and process of the chiplet, for people. */
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

export type Message = {
  [Type in MessageType]: { readonly type: Type } & MessageFields[Type];
}[MessageType];

/** The message of one type. */
export type MessageOf<Type extends MessageType> = Extract<Message, { type: Type }>;
