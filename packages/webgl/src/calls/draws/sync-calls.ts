/**
 * Sync objects (WebGL 2.0, section 3.7.14). A sync is signaled only after the program returns to
 * its event loop, as in browsers.
 */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import { GL } from '../../interface/constants.ts';
import { WebGLSync } from '../../objects/webgl-object.ts';

/** WebGL calls for sync objects. */
export const syncCalls = {
  fenceSync(this: ContextObject, condition: number, flags: number): WebGLSync | null {
    const core = this[CORE];
    if (condition !== GL.SYNC_GPU_COMMANDS_COMPLETE) {
      core.rejectEnum('fenceSync', 'condition', condition);
      return null;
    }
    if (flags !== 0) {
      core.raise(GL.INVALID_VALUE, 'fenceSync', `flags ${flags} must be 0`);
      return null;
    }
    const sync = new WebGLSync(core, 0);
    setImmediate(() => {
      sync.isSignaled = true;
    });
    return sync;
  },
  isSync(this: ContextObject, sync: WebGLSync | null): boolean {
    return isAlive(this[CORE], 'isSync', sync, WebGLSync);
  },
  deleteSync(this: ContextObject, sync: WebGLSync | null): void {
    if (isDeletable(this[CORE], 'deleteSync', sync, WebGLSync)) sync.isDeleted = true;
  },
  clientWaitSync(this: ContextObject, sync: WebGLSync, flags: number, timeout: number): number {
    const core = this[CORE];
    const caller = 'clientWaitSync';
    if (!checkObject(core, caller, sync, WebGLSync)) return GL.WAIT_FAILED;
    if ((flags & ~GL.SYNC_FLUSH_COMMANDS_BIT) !== 0) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `flags ${flags} have bits other than SYNC_FLUSH_COMMANDS_BIT`,
      );
      return GL.WAIT_FAILED;
    }
    if (timeout > 0) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        `timeout ${timeout} exceeds MAX_CLIENT_WAIT_TIMEOUT_WEBGL (0)`,
      );
      return GL.WAIT_FAILED;
    }
    return sync.isSignaled ? GL.ALREADY_SIGNALED : GL.TIMEOUT_EXPIRED;
  },
  waitSync(this: ContextObject, sync: WebGLSync, flags: number, timeout: number): void {
    const core = this[CORE];
    if (!checkObject(core, 'waitSync', sync, WebGLSync)) return;
    if (flags !== 0 || timeout !== GL.TIMEOUT_IGNORED) {
      core.raise(
        GL.INVALID_VALUE,
        'waitSync',
        `flags must be 0 and timeout TIMEOUT_IGNORED, not ${flags} and ${timeout}`,
      );
    }
  },
  getSyncParameter(this: ContextObject, sync: WebGLSync, parameter: number): number | null {
    const core = this[CORE];
    if (!checkObject(core, 'getSyncParameter', sync, WebGLSync)) return null;
    switch (parameter) {
      case GL.OBJECT_TYPE:
        return GL.SYNC_FENCE;
      case GL.SYNC_STATUS:
        return sync.isSignaled ? GL.SIGNALED : GL.UNSIGNALED;
      case GL.SYNC_CONDITION:
        return GL.SYNC_GPU_COMMANDS_COMPLETE;
      case GL.SYNC_FLAGS:
        return 0;
      default:
        core.rejectEnum('getSyncParameter', 'parameter', parameter);
        return null;
    }
  },
};
