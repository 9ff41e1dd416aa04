/** Objects that contexts of one share group have in common (OpenGL 2.1, appendix D). */
import type { BufferObject } from './buffer-objects.ts';
import { ByteBudget } from './byte-budget.ts';
import type { RenderbufferObject } from './framebuffer-objects.ts';
import { ObjectTable } from './object-table.ts';
import type { ProgramObject } from './program-objects.ts';
import type { ShaderObject } from './shader-objects.ts';
import type { TextureObject } from './texture-object.ts';

const DEFAULT_MAX_BYTES = 1 << 30;

export class SharedObjects {
  readonly buffers = new ObjectTable<BufferObject>();
  readonly textures = new ObjectTable<TextureObject>();
  readonly renderbuffers = new ObjectTable<RenderbufferObject>();
  /** Shaders and programs draw their names from one space. */
  readonly programs = new ObjectTable<ShaderObject | ProgramObject>();
  readonly budget: ByteBudget;

  /** @param maxBytes Most bytes of buffers and textures together. */
  constructor(maxBytes: number = DEFAULT_MAX_BYTES) {
    this.budget = new ByteBudget(maxBytes);
  }
}
