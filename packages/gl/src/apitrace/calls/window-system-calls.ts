/**
 * Recorded functions of window systems: GLX (X11), EGL, WGL (Windows), CGL (macOS). They make contexts, make
 * them current and end frames; a few change pictures by ways that are not replayed, and are refused by name.
 */

import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';
import { keyOf } from './call-arguments.ts';

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
  // Pictures that come from other drawables, other programs or fonts.
  [
    /^(?:glX(?:Bind|Release)TexImageEXT|egl(?:Bind|Release)TexImage|wgl(?:Bind|Release)TexImageARB|CGLTexImage\w+|(?:glX|wgl|CGL)CopyContext|glXCopySubBufferMESA|glXImportContextEXT|glXUseXFont|wglUseFontOutlines[AW])$/,
    'refused',
  ],
  // Questions, and the life of displays, windows, formats and fences; the tracer tells windows' sizes by other means.
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
  // Its bitmaps and lists are in the capture as calls that the tracer made up.
  [/^wglUseFontBitmaps[AW]$/, 'without effect'],
  // Memory of the program, which captures before version 3 follow.
  [/^(?:malloc|calloc|realloc|free)$/, 'without effect'],
];

/** What a function of a window system is for; `null` if it is none, or is not known. */
export function roleOfWindowSystemCall(functionName: string): WindowSystemRole | null {
  return ROLES.find(([pattern]) => pattern.test(functionName))?.[1] ?? null;
}

/** The context that a call makes; `null` if it failed to. */
export function createdContext({ name, args, result }: CapturedCall): string | null {
  if (name !== 'CGLCreateContext') return keyOf(result);
  const { ctx } = args;
  return keyOf(Array.isArray(ctx) ? (ctx as readonly CapturedValue[])[0] : ctx);
}

/** The context with which a new one shares its objects. */
export function sharedContext({ args }: CapturedCall): string | null {
  return keyOf(
    args.shareList ?? args.share_list ?? args.share_context ?? args.hShareContext ?? args.share,
  );
}

/** The context that a call makes current or destroys; `null` for none. */
export function namedContext({ args }: CapturedCall): string | null {
  return keyOf(args.ctx ?? args.context ?? args.hglrc);
}

/** The drawable that is made current with a context; a context of CGL has its own. */
export function namedDrawable(call: CapturedCall): string {
  const { drawable, draw, hdc, hDrawDC } = call.args;
  return keyOf(drawable ?? draw ?? hdc ?? hDrawDC) ?? `of ${namedContext(call)}`;
}
