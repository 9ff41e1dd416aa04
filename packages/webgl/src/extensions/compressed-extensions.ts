/**
 * Extensions that provide compressed texture formats. The constants of their objects are the
 * formats, whose rules are in rules/compressed-formats.ts.
 */
import { BOTH, type ExtensionGroup } from './extension-entry.ts';

const astcCalls = {
  /** Returns the profiles of ASTC. Blocks with a high dynamic range have the error color. */
  getSupportedProfiles(): string[] {
    return ['ldr'];
  },
};

/** Extensions of compressed textures. */
export const compressedExtensions: ExtensionGroup = {
  EXT_texture_compression_bptc: { versions: BOTH },
  EXT_texture_compression_rgtc: { versions: BOTH },
  WEBGL_compressed_texture_astc: { versions: BOTH, calls: astcCalls },
  WEBGL_compressed_texture_etc: { versions: BOTH },
  WEBGL_compressed_texture_etc1: { versions: BOTH },
  WEBGL_compressed_texture_s3tc: { versions: BOTH },
  WEBGL_compressed_texture_s3tc_srgb: { versions: BOTH },
};
