/** Recorded functions of OpenGL and of window systems that change no picture that this package makes. */

const HARMLESS: readonly RegExp[] = [
  // Questions: what the program did with the answers is in the capture.
  /^gl(?:Get|Is|Check|AreTexturesResident|Validate)/,
  // Queries, synchronisation, hints, debugging.
  /^gl(?:Flush|Finish|Hint|(?:Gen|Delete|Begin|End)Quer(?:y|ies)|Fence|DeleteSync|ClientWaitSync|WaitSync)/,
  /^gl(?:PushDebugGroup|PopDebugGroup|ObjectLabel|DebugMessage|PushGroupMarker|PopGroupMarker|InsertEventMarker|StringMarker|FrameTerminator)/,
  /^gl(?:ReleaseShaderCompiler|PrioritizeTextures|PixelStoref|InvalidateFramebuffer|DiscardFramebuffer)/,
  // Colour index mode is gone; stippled lines are refused where they are drawn.
  /^gl(?:Index(?:[dfis]|ub)v?$|LineStipple|ClearIndex|IndexMask)/,
  // Window systems: questions, and the life of windows, whose size the tracer tells by other means.
  /^(?:glX|egl|wgl)(?:Query|Get|Choose|Wait|SwapInterval)/,
  /^(?:glX(?:IsDirect|SelectEvent|CreateWindow|DestroyWindow)|egl(?:Initialize|Terminate|ReleaseThread|CreateWindowSurface|DestroySurface))$/,
];

export function isHarmless(functionName: string): boolean {
  return HARMLESS.some((pattern) => pattern.test(functionName));
}
