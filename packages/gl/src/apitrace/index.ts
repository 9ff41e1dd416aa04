export { CaptureFrames } from './capture-frames.ts';
export { describeReplay } from './describe-replay.ts';
export { hasCaptureMagic } from './format/capture-container.ts';
export {
  type CallBatches,
  type CapturedCall,
  type CaptureLimits,
  DEFAULT_CAPTURE_LIMITS,
  readCallStream,
  readCalls,
} from './format/capture-reader.ts';
export { CapturedPointer, CapturedStruct, type CapturedValue } from './format/captured-value.ts';
export {
  type CaptureApi,
  type ListedPrograms,
  type ListedShader,
  listShaders,
} from './list-shaders.ts';
export {
  type CaptureFrame,
  type ReplayError,
  type ReplayedFrame,
  type ReplayOptions,
  replayFrame,
  replayFrameStream,
} from './replay.ts';
export {
  type CaptureSummary,
  type ChosenFrame,
  type FrameEnd,
  type FrameUse,
  type FunctionSupport,
  type FunctionUse,
  findLastFrame,
  summarizeCapture,
  summarizeCaptureStream,
} from './summarize-capture.ts';
