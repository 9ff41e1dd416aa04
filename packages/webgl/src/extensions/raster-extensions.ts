/** Extensions of clipping, of rasterization and of depth. */
import { CORE, type ContextObject } from '../context/call-table.ts';
import { GL } from '../interface/constants.ts';
import { BOTH, type ExtensionGroup } from './extension-entry.ts';

const clipCalls = {
  clipControlEXT(this: ContextObject, origin: number, depth: number): void {
    this[CORE].gl.raster.setClipControl(origin, depth);
  },
};

const offsetCalls = {
  polygonOffsetClampEXT(this: ContextObject, factor: number, units: number, clamp: number): void {
    this[CORE].gl.raster.setPolygonOffset(factor, units, clamp);
  },
};

const polygonModeCalls = {
  polygonModeWEBGL(this: ContextObject, face: number, mode: number): void {
    const core = this[CORE];
    const caller = 'polygonModeWEBGL';
    if (face !== GL.FRONT_AND_BACK) core.rejectEnum(caller, 'face', face);
    else if (mode !== GL.LINE_WEBGL && mode !== GL.FILL_WEBGL) {
      core.rejectEnum(caller, 'mode', mode);
    } else core.gl.raster.setPolygonMode(face, mode);
  },
};

/** Extensions of rasterization. */
export const rasterExtensions: ExtensionGroup = {
  EXT_clip_control: { versions: BOTH, calls: clipCalls },
  EXT_depth_clamp: { versions: BOTH, capabilities: [GL.DEPTH_CLAMP_EXT] },
  EXT_polygon_offset_clamp: { versions: BOTH, calls: offsetCalls },
  WEBGL_polygon_mode: {
    versions: BOTH,
    calls: polygonModeCalls,
    capabilities: [GL.POLYGON_OFFSET_LINE_WEBGL],
  },
};
