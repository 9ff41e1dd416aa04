/** Lists the tests of an installed piglit and draws a seeded sample of each group. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CaseName } from '../verdict.ts';

/** Test of piglit. Its folder is its group. */
export interface PiglitTest extends CaseName {
  /** Program and arguments, relative to the folder of piglit. */
  readonly command: readonly string[];
  /** Whether it draws into a framebuffer object in place of its window, as piglit runs it. */
  readonly usesFbo: boolean;
}

/** Groups of tests with the parts of a whole sample. */
const GROUPS: Readonly<Record<string, number>> = {
  shaders: 0.4,
  'OpenGL 1.x and 2.x': 0.2,
  extensions: 0.3,
  'OpenGL 3.x and ES': 0.1,
};

/**
 * Specifications that belong to OpenGL 4, not to 3.3, and tests with other stages of shaders. The
 * tests of two-sided vertex programs draw by geometry shaders too.
 */
const LATER =
  /glsl-(?:4|es-3\.[1-9])|opengl (?:4|es 3\.[1-9])|@glsl-[\d.]+@.*(?:gs-|geometry)|geometry_shader|tess|gpu_shader5|fp64|64bit|int64|compute|image_load|shader_image|storage_buffer|atomic|copy_image|texture_view|viewport_array|bindless|subroutine|texture_gather|texture_barrier|sample_shading|texture_cube_map_array|direct_state|spirv|gl_spirv|enhanced_layouts|arrays_of_arrays|420pack|precision|trinary|separate_shader_objects|framebuffer_fetch|cull_distance|viewport_layer|vertex_shader_layer|fragment_layer|query_lod|query_levels|fill_rectangle|shader_ballot|group_vote|texture_multisample|blend_func_extended|transform_feedback[23]|texture_stencil8|stencil_texturing|internalformat_query2|clear_texture|clear_buffer|multi_draw|draw_indirect|texture_storage_multi|sparse|indirect_param|program_interface|robust|no_attachments|external_objects|dma_buf|khr_gl_image|egl_|astc|bptc|etc2|fxt1|window_rect|vertex-program-two-side|conservative|blackhole|shader_clock|derivative_control|demote|shader_integer|buffer_storage|framebuffer_multisample_(?:advanced|blit_scaled)|base_instance|shader_draw_param|explicit_uniform|polygon_offset_clamp|clip_control|post_depth|vertex_attrib_binding|program_binary|timer_query|debug|sync_control|pinned|performance_monitor|import_context|create_context|purgeable|samples_identical|get_texture_sub_image/i;

/** Returns the folder of an installed piglit, `null` without one. */
export function findPiglit(): string | null {
  const named = process.env.PIGLIT_FOLDER;
  const libraries = '/usr/lib';
  const folders = [
    ...(named === undefined ? [] : [named]),
    ...readdirSync(libraries).map((name) => join(libraries, name, 'piglit')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'tests/quick_gl.xml.gz'))) ?? null;
}

/** Lists the tests of OpenGL to 3.3 and of OpenGL ES 2 and 3, in the order that a seed gives. */
export function listTests(folder: string, seed: string): PiglitTest[] {
  const order = (name: string): string =>
    createHash('sha256').update(`${seed}/${name}`).digest('hex');
  return ['quick_gl', 'quick_shader']
    .flatMap((profile) => readProfile(join(folder, `tests/${profile}.xml.gz`)))
    .map((test) => ({ test, key: order(test.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ test }) => test);
}

/** Draws a sample: of each group its part, or all of its tests if it has fewer. */
export function drawSample(tests: readonly PiglitTest[], count: number): PiglitTest[] {
  return Object.entries(GROUPS).flatMap(([group, part]) =>
    tests.filter(({ folder }) => folder === group).slice(0, Math.round(count * part)),
  );
}

function readProfile(path: string): PiglitTest[] {
  const text = gunzipSync(readFileSync(path)).toString();
  const tests: PiglitTest[] = [];
  for (const [, name, options] of text.matchAll(/<Test [^>]*?name="([^"]+)">(.*?)<\/Test>/gs)) {
    const command = readOption(options!, 'command');
    const folder = groupOf(name!, command ?? []);
    const needsAnother = options!.includes('require_platforms');
    if (command !== null && folder !== null && !needsAnother) {
      const usesFbo = options!.includes('name="run_concurrent" value="True"');
      tests.push({ name: name!, folder, command, usesFbo });
    }
  }
  return tests;
}

/** Reads an option that is a list of Python strings. */
function readOption(options: string, name: string): string[] | null {
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(options);
  if (found === null) return null;
  const text = found[1]!.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  return Array.from(text.matchAll(/'((?:[^'\\]|\\.)*)'/g), ([, value]) => value!);
}

function groupOf(name: string, command: readonly string[]): string | null {
  if (LATER.test(name)) return null;
  const file = command[0] ?? '';
  if (/gles1/.test(file)) return null;
  if (/gles[23]/.test(file) || /@!opengl (?:3|es)/.test(name)) return 'OpenGL 3.x and ES';
  if (/^shader_runner/.test(file) || /^shaders@|@glsl-/.test(name)) return 'shaders';
  if (/@!opengl [12]/.test(name)) return 'OpenGL 1.x and 2.x';
  return /^spec@/.test(name) ? 'extensions' : null;
}
