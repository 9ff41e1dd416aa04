/** Recorded functions of OpenGL and of window systems that change no picture that this package makes. */

const HARMLESS: readonly RegExp[] = [
  // Questions: what the program did with the answers is in the capture.
  /^gl(?:Get|Is|Check|AreTexturesResident|ReadPixels|ReadBuffer|Validate)/,
  // Queries, synchronisation, hints, debugging.
  /^gl(?:Flush|Finish|Hint|(?:Gen|Delete|Begin|End)Quer(?:y|ies)|Fence|DeleteSync|ClientWaitSync|WaitSync)/,
  /^gl(?:PushDebugGroup|PopDebugGroup|ObjectLabel|DebugMessage|PushGroupMarker|PopGroupMarker|InsertEventMarker|StringMarker|FrameTerminator)/,
  /^gl(?:ReleaseShaderCompiler|PrioritizeTextures|PixelStoref|SampleCoverage|InvalidateFramebuffer|DiscardFramebuffer)/,
  // State of stages that a program replaces; draws without a program, and programs that read it, are refused.
  /^gl(?:Light|Material|ColorMaterial|Fog|ShadeModel|TexEnv|TexGen)/,
  // They only act while a capability is enabled, and draws refuse that.
  /^gl(?:AlphaFunc|LogicOp|LineStipple|PolygonStipple|ClipPlane)/,
  // Window systems: questions, and the life of windows, whose size the tracer tells by other means.
  /^(?:glX|egl|wgl)(?:Query|Get|Choose|Wait|SwapInterval)/,
  /^(?:glX(?:IsDirect|SelectEvent|CreateWindow|DestroyWindow)|egl(?:Initialize|Terminate|ReleaseThread|CreateWindowSurface|DestroySurface))$/,
];

export function isHarmless(functionName: string): boolean {
  return HARMLESS.some((pattern) => pattern.test(functionName));
}
