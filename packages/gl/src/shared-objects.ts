/** Objects that contexts of one share group have in common (OpenGL 2.1, appendix D). */
import type { BufferObject } from './objects/buffers/buffer-objects.ts';
import { ByteBudget } from './objects/byte-budget.ts';
import type { RenderbufferObject } from './objects/framebuffers/renderbuffer-object.ts';
import { ObjectTable } from './objects/object-table.ts';
import type { ProgramObject } from './objects/programs/program-objects.ts';
import type { ShaderObject } from './objects/programs/shader-objects.ts';
import type { TextureObject } from './objects/textures/texture-object.ts';

const DEFAULT_MAX_BYTES = 1 << 30;

/** Objects of one share group. */
export class SharedObjects {
  readonly buffers = new ObjectTable<BufferObject>();
  readonly textures = new ObjectTable<TextureObject>();
  readonly renderbuffers = new ObjectTable<RenderbufferObject>();
  /** Shaders and programs, which share one name space. */
  readonly programs = new ObjectTable<ShaderObject | ProgramObject>();
  readonly budget: ByteBudget;

  /**
   * @param budget Limit on the bytes of buffers and textures together; can be shared with other
   *   groups.
   */
  constructor(budget: ByteBudget = new ByteBudget(DEFAULT_MAX_BYTES)) {
    this.budget = budget;
  }
}
