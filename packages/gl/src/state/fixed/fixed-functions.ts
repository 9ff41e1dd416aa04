/**
 * Fixed functions of OpenGL 1.0 to 2.1 that later versions removed: immediate mode, display lists,
 * lighting, texture environments, the attribute stack. A desktop context has them as
 * `gl.fixedFunctions`. Methods have the names of the API.
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { readArrayElement } from '../../objects/vertex-arrays/read-array-element.ts';
import {
  ATTRIBUTE_KEYS,
  type AttributeInputs,
  type AttributeKey,
  type CurrentValue,
} from '../../objects/vertex-arrays/vertex-array.ts';
import { AttributeStack, type SavedState } from './attribute-stack.ts';
import { DisplayLists, type ListCommand } from './display-lists.ts';
import { type ImmediatePrimitive, ImmediateVertices } from './immediate-vertices.ts';
import { toVector4 } from './lighting-state.ts';
import { changedMaterialAttributes, readMaterialAttribute } from './material-attributes.ts';

/** Functions that are permitted between `begin` and `end` (OpenGL 2.1, section 2.6.3). */
const WITHIN_PRIMITIVE =
  /^gl(?:Vertex|ColorP?[34]|SecondaryColor|Index[dfisu]|NormalP?3|TexCoord|MultiTexCoord|FogCoord|VertexAttribs?[IP]?\d|Material|EdgeFlag|ArrayElement|PrimitiveRestartNV|EvalCoord|EvalPoint|CallList|End$|GetError$)/;

/** Functions that run immediately while a display list is compiled (OpenGL 2.1, section 5.4). */
const NOT_LISTED =
  /^gl(?:Get|Is|Gen|Delete(?!Lists$)|NewList$|EndList$|PixelStore|Flush$|Finish$|Feedback|Select|RenderMode|ReadPixels$|(?:Vertex|Normal|Color|SecondaryColor|FogCoord|TexCoord|Index|EdgeFlag|VertexAttribI?)Pointer|InterleavedArrays|EnableClientState|DisableClientState|EnableVertexAttrib|DisableVertexAttrib|ClientActiveTexture|PushClientAttrib|PopClientAttrib|BindBuffer|BufferData|BufferSubData|MapBuffer|UnmapBuffer|FlushMapped|BindVertexArray|Create|Compile|ShaderSource|Attach|Detach|BindAttribLocation|LinkProgram|Validate|BindFramebuffer|BindRenderbuffer|Renderbuffer|Framebuffer|CheckFramebuffer|GenerateMipmap|DrawArrays|DrawElements|DrawRange|MultiDraw|ArrayElement)/;

/** Parts of a context that fixed functions change or use. */
interface FixedParts extends SavedState {
  readonly errors: GlErrors;
  readonly draws: {
    /** Draws the vertices given between `begin` and `end`. */
    drawImmediate(primitive: ImmediatePrimitive): void;
  };
}

/** Fixed functions of a desktop OpenGL context. */
export class FixedFunctions {
  readonly lists: DisplayLists;
  readonly #parts: FixedParts;
  readonly #stack: AttributeStack;
  readonly #immediate = new ImmediateVertices();

  constructor(parts: FixedParts) {
    this.#parts = parts;
    this.#stack = new AttributeStack(parts.errors, parts);
    this.lists = new DisplayLists(parts.errors);
  }

  /**
   * Submits a command of the API. Appends it to the display list in compilation, rejects it if it
   * is not permitted between `begin` and `end`, or runs it immediately.
   */
  submit(functionName: string, command: ListCommand): void {
    if (this.lists.isCompiling && !NOT_LISTED.test(functionName)) {
      this.lists.submit(() => this.#run(functionName, command));
    } else {
      this.#run(functionName, command);
    }
  }

  #run(functionName: string, command: ListCommand): void {
    if (this.#immediate.isOpen && !WITHIN_PRIMITIVE.test(functionName)) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${functionName}: the call is not allowed between glBegin and glEnd`,
      );
      return;
    }
    command();
  }

  // Vertices

  get isInPrimitive(): boolean {
    return this.#immediate.isOpen;
  }

  begin(mode: number): void {
    if (this.#immediate.isOpen) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, 'begin: the previous primitive has not ended');
    } else if (mode < GL.POINTS || mode > GL.POLYGON) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `begin: mode ${nameOfEnum(mode)} is not a primitive type`,
      );
    } else {
      this.#immediate.begin(mode);
    }
  }

  end(): void {
    if (!this.#immediate.isOpen) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, 'end: no primitive has begun');
      return;
    }
    const { vertexArrays } = this.#parts;
    const primitive = this.#immediate.end((key) => vertexArrays.currentValue(key));
    if (primitive.count > 0) this.#parts.draws.drawImmediate(primitive);
  }

  /**
   * Adds a vertex to the open primitive. Does nothing outside a primitive, where OpenGL leaves the
   * effect undefined.
   */
  vertex(position: readonly number[]): void {
    if (!this.#immediate.isOpen) return;
    this.#immediate.emit(toVector4(position), (key) => this.#valueOf(key));
  }

  /** Returns the current value of an attribute or material parameter. */
  #valueOf(key: AttributeKey): CurrentValue {
    const { vertexArrays, fixed } = this.#parts;
    return readMaterialAttribute(key, fixed.lighting.values) ?? vertexArrays.currentValue(key);
  }

  /**
   * Adds a vertex with attributes that apply to it alone (OpenGL 2.1, section 5.1).
   */
  evaluated(
    position: readonly number[],
    attributes: ReadonlyMap<AttributeKey, readonly number[]>,
  ): void {
    if (!this.#immediate.isOpen) return;
    const { vertexArrays } = this.#parts;
    for (const key of attributes.keys()) {
      this.#immediate.change(key, vertexArrays.currentValue(key));
    }
    this.#immediate.emit(toVector4(position), (key) => {
      const value = attributes.get(key);
      return value === undefined ? this.#valueOf(key) : toVector4(value);
    });
  }

  /**
   * Sets the current value of an attribute. Attribute 0 emits a vertex while a primitive is open.
   */
  attribute(key: AttributeKey, value: readonly number[]): void {
    const { vertexArrays, capabilities, fixed } = this.#parts;
    if (this.#immediate.isOpen) {
      if (key === 0) {
        this.vertex(value);
        return;
      }
      this.#immediate.change(key, vertexArrays.currentValue(key));
    }
    vertexArrays.setCurrentValue(key, value);
    if (key === 'gl_Color' && capabilities.has(FIXED.COLOR_MATERIAL)) {
      fixed.lighting.trackColor(vertexArrays.currentValue(key));
    }
  }

  edgeFlag(isEdge: boolean): void {
    this.#immediate.edgeFlag = isEdge;
  }

  /**
   * Sets all attributes with enabled arrays to one element of these arrays, the vertex last.
   *
   * @param inputs Vertex arrays; by default the current ones.
   */
  arrayElement(element: number, inputs: AttributeInputs = this.#parts.vertexArrays): void {
    for (const key of ATTRIBUTE_KEYS) {
      if (key === 'gl_Vertex' || key === 0) continue;
      const value = readArrayElement(inputs.array(key)!, element);
      if (value === null) continue;
      if (key === 'gl_EdgeFlag') this.edgeFlag(value[0] !== 0);
      else this.attribute(key, value);
    }
    const position = readArrayElement(inputs.array('gl_Vertex')!, element);
    if (position !== null) this.vertex(position);
  }

  // Lighting

  light(light: number, parameter: number, params: readonly number[]): void {
    const { fixed, matrices } = this.#parts;
    fixed.lighting.setLight(light, parameter, params, matrices.modelView);
  }

  /** Sets a material parameter. */
  material(face: number, parameter: number, params: readonly number[]): void {
    if (this.#immediate.isOpen && this.#immediate.count > 0) {
      this.#continueWithMaterial(changedMaterialAttributes(face, parameter));
    }
    this.#parts.fixed.lighting.setMaterial(face, parameter, params);
  }

  /**
   * Prepares the open primitive for a change of the material. Between independent primitives, the
   * vertices so far are drawn. Otherwise the changed parameters become attributes of the vertices.
   */
  #continueWithMaterial(changed: readonly string[]): void {
    const { mode, count } = this.#immediate;
    const corners = CORNERS_BY_MODE.get(mode);
    if (corners !== undefined && count % corners === 0) {
      this.end();
      this.begin(mode);
      return;
    }
    for (const key of changed) this.#immediate.change(key, this.#valueOf(key));
  }

  lightModel(parameter: number, params: readonly number[]): void {
    this.#parts.fixed.lighting.setModel(parameter, params);
  }

  colorMaterial(face: number, parameter: number): void {
    this.#parts.fixed.lighting.setColorMaterial(face, parameter);
    this.#trackCurrentColor();
  }

  /** Applies the side effects of `enable` besides the switch itself. */
  noteEnabled(capability: number): void {
    if (capability === FIXED.COLOR_MATERIAL) this.#trackCurrentColor();
  }

  #trackCurrentColor(): void {
    const { capabilities, fixed, vertexArrays } = this.#parts;
    if (!capabilities.has(FIXED.COLOR_MATERIAL)) return;
    fixed.lighting.trackColor(vertexArrays.currentValue('gl_Color'));
  }

  shadeModel(mode: number): void {
    this.#parts.fixed.lighting.setShadeModel(mode);
  }

  provokingVertex(mode: number): void {
    this.#parts.raster.setProvokingVertex(mode);
  }

  // Texturing, fog, fragments

  texEnv(target: number, parameter: number, params: readonly number[]): void {
    this.#parts.fixed.environment.set(target, parameter, params);
  }

  texGen(coordinate: number, parameter: number, params: readonly number[]): void {
    const { fixed, matrices } = this.#parts;
    fixed.environment.setTexgen(coordinate, parameter, params, matrices.modelView);
  }

  fog(parameter: number, params: readonly number[]): void {
    this.#parts.fixed.setFog(parameter, params);
  }

  alphaFunc(compare: number, reference: number): void {
    this.#parts.fixed.setAlphaFunction(compare, reference);
  }

  clipPlane(plane: number, equation: readonly number[]): void {
    const { fixed, matrices } = this.#parts;
    fixed.setClipPlane(plane, equation, matrices.modelView);
  }

  pointParameter(parameter: number, params: readonly number[]): void {
    this.#parts.fixed.setPointParameter(parameter, params);
  }

  /**
   * Sets the polygon stipple.
   *
   * @param pattern 128 bytes, rows from the bottom. The order of the bits in a byte is that of
   *   `pixelStorei`.
   */
  polygonStipple(pattern: Uint8Array): void {
    const { fixed, textures } = this.#parts;
    const rows = pattern.slice(0, 128);
    fixed.polygonStipple = textures.pixelStore.isLeastBitFirst ? rows.map(reverseBits) : rows;
  }

  logicOp(operation: number): void {
    this.#parts.raster.setLogicOperation(operation);
  }

  // Saved state

  pushAttrib(mask: number): void {
    this.#stack.push(mask);
  }

  popAttrib(): void {
    this.#stack.pop();
  }

  pushClientAttrib(mask: number): void {
    this.#stack.pushClient(mask);
  }

  popClientAttrib(): void {
    this.#stack.popClient();
  }
}

/** Vertices per primitive of the modes whose primitives share no vertices. */
const CORNERS_BY_MODE: ReadonlyMap<number, number> = new Map([
  [GL.POINTS, 1],
  [GL.LINES, 2],
  [GL.TRIANGLES, 3],
  [GL.QUADS, 4],
]);

/** Returns a byte with its bits in the opposite order. */
function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
}
