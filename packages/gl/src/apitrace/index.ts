export { describeReplay } from './describe-replay.ts';
export {
  type ListedPrograms,
  type ListedShader,
  listShaders,
  type TraceApi,
} from './list-shaders.ts';
export {
  type ReplayError,
  type ReplayedFrame,
  type ReplayOptions,
  replayFrame,
  replayFrameStream,
} from './replay.ts';
export {
  type CaptureSummary,
  type FrameUse,
  type FunctionSupport,
  type FunctionUse,
  summarizeCapture,
  summarizeCaptureStream,
} from './summarize-capture.ts';
export { hasTraceMagic } from './trace-container.ts';
export {
  type CallBatches,
  DEFAULT_TRACE_LIMITS,
  readTrace,
  readTraceStream,
  type TraceCall,
  type TraceLimits,
} from './trace-reader.ts';
export { TracePointer, TraceStruct, type TraceValue } from './trace-value.ts';
