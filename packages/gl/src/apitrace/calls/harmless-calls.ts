/** Recorded functions of OpenGL and of window systems that do not affect the image. */

const HARMLESS: readonly RegExp[] = [
  // Queries of state. The capture records what the program did with the answers.
  /^gl(?:Get|Is|Check|AreTexturesResident|Validate)/,
  // Query objects, synchronization, hints, debugging.
  /^gl(?:Flush|Finish|Hint|(?:Gen|Delete)Queries|Fence|DeleteSync|ClientWaitSync|WaitSync)/,
  /^gl(?:PushDebugGroup|PopDebugGroup|ObjectLabel|DebugMessage|PushGroupMarker|PopGroupMarker|InsertEventMarker|StringMarker|FrameTerminator)/,
  /^gl(?:ReleaseShaderCompiler|PrioritizeTextures|PixelStoref|InvalidateFramebuffer|DiscardFramebuffer)/,
  // Color index mode, which contexts do not have.
  /^gl(?:Index(?:[dfis]|ub)v?$|IndexPointer$|ClearIndex|IndexMask)/,
  // Names and buffers of selection and feedback, whose results the capture has.
  /^gl(?:FeedbackBuffer|SelectBuffer|InitNames|LoadName|PushName|PopName|PassThrough)$/,
  // Window systems: queries and window lifetime. The tracer records window sizes by other calls.
  /^(?:glX|egl|wgl)(?:Query|Get|Choose|Wait|SwapInterval)/,
  /^(?:glX(?:IsDirect|SelectEvent|CreateWindow|DestroyWindow)|egl(?:Initialize|Terminate|ReleaseThread|CreateWindowSurface|DestroySurface))$/,
];

/** Returns whether a function can be ignored without a change to the image. */
export function isHarmless(functionName: string): boolean {
  return HARMLESS.some((pattern) => pattern.test(functionName));
}
