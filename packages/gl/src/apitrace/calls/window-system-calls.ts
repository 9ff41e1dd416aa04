/**
 * Recorded functions of window systems: GLX (X11), EGL, WGL (Windows), CGL (macOS). They create
 * contexts, make them current and end frames. A few affect the image in ways that are not replayed
 * and are refused by name.
 */

import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';
import { keyOf } from './call-arguments.ts';

/** Effect of a window-system function on the replay. */
export type WindowSystemRole =
  | 'creates context'
  | 'destroys context'
  | 'makes current'
  | 'shares objects'
  | 'binds API'
  | 'ends frame'
  | 'without effect'
  | 'refused';

const ROLES: readonly (readonly [RegExp, WindowSystemRole])[] = [
  [
    /^(?:glXCreate(?:New)?Context|glXCreateContextAttribsARB|glXCreateContextWithConfigSGIX|eglCreateContext|wglCreate(?:Layer)?Context|wglCreateContextAttribsARB|CGLCreateContext)$/,
    'creates context',
  ],
  [/^(?:(?:glX|egl|CGL)DestroyContext|wglDeleteContext)$/, 'destroys context'],
  [
    /^(?:glXMakeCurrent(?:ReadSGI)?|glXMakeContextCurrent|eglMakeCurrent|wglMakeCurrent|wglMakeContextCurrent(?:ARB|EXT)|CGLSetCurrentContext)$/,
    'makes current',
  ],
  [/^wglShareLists$/, 'shares objects'],
  [/^eglBindAPI$/, 'binds API'],
  [
    /^(?:glXSwapBuffers(?:MscOML)?|eglSwapBuffers(?:WithDamage\w*)?|eglPostSubBufferNV|wglSwap(?:Layer|Multiple)?Buffers|SwapBuffers|CGLFlushDrawable|glFrameTerminatorGREMEDY)$/,
    'ends frame',
  ],
  // Images from other drawables, other programs or fonts.
  [
    /^(?:glX(?:Bind|Release)TexImageEXT|egl(?:Bind|Release)TexImage|wgl(?:Bind|Release)TexImageARB|CGLTexImage\w+|(?:glX|wgl|CGL)CopyContext|glXCopySubBufferMESA|glXImportContextEXT|glXUseXFont|wglUseFontOutlines[AW])$/,
    'refused',
  ],
  // Queries, and the lifetime of displays, windows, formats and fences. The tracer records window
  // sizes by other calls.
  [
    /^(?:glX|egl|wgl|CGL)(?:Query|Get|Choose|Describe|Set|Is|Wait|ClientWait|Signal|SwapInterval|DelayBefore|Joins?|Select|Reset|Retain|Release|Lock|Unlock|Update|Clear|Enable|Disable|Realize|Free|Export|Presentation|SurfaceAttrib)/,
    'without effect',
  ],
  [
    /^(?:glX|egl|wgl|CGL)(?:Create|Destroy)(?:Window|Pbuffer|PBuffer|Pixmap|GLXPixmap|GLXPbuffer|PixelFormat|Platform|Image|Sync|Fence|Stream)/,
    'without effect',
  ],
  [
    /^egl(?:Create\w+Surface\w*|DestroySurface|Initialize|Terminate|DebugMessage\w+)$/,
    'without effect',
  ],
  // The tracer records its bitmaps and lists as inserted calls.
  [/^wglUseFontBitmaps[AW]$/, 'without effect'],
  // Memory functions of the program, which captures before version 3 contain.
  [/^(?:malloc|calloc|realloc|free)$/, 'without effect'],
];

/** Returns the role of a window-system function; `null` if it is none or unknown. */
export function roleOfWindowSystemCall(functionName: string): WindowSystemRole | null {
  return ROLES.find(([pattern]) => pattern.test(functionName))?.[1] ?? null;
}

/** Returns the context that a call creates; `null` if the call failed. */
export function createdContext({ name, args, result }: CapturedCall): string | null {
  if (name !== 'CGLCreateContext') return keyOf(result);
  const { ctx } = args;
  return keyOf(Array.isArray(ctx) ? (ctx as readonly CapturedValue[])[0] : ctx);
}

/** Returns the context whose objects a new context shares. */
export function sharedContext({ args }: CapturedCall): string | null {
  return keyOf(
    args.shareList ?? args.share_list ?? args.share_context ?? args.hShareContext ?? args.share,
  );
}

/** Returns the context that a call makes current or destroys; `null` for none. */
export function namedContext({ args }: CapturedCall): string | null {
  return keyOf(args.ctx ?? args.context ?? args.hglrc);
}

/** Returns the drawable that a call makes current. A CGL context is its own drawable. */
export function namedDrawable(call: CapturedCall): string {
  const { drawable, draw, hdc, hDrawDC } = call.args;
  return keyOf(drawable ?? draw ?? hdc ?? hDrawDC) ?? `of ${namedContext(call)}`;
}
