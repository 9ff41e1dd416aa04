/** Checks bulk resources in messages: buffers, textures, compiled programs. */
import {
  findTextureProblem,
  TEXTURE_DIMENSIONS,
  TEXTURE_FORMATS,
  type TextureFormat,
  type TextureResource,
} from '@tessera/frame';
import type { Resource } from '../messages/messages.ts';
import {
  array,
  boolean,
  bytes,
  type Check,
  integer,
  MalformedError,
  object,
  oneOf,
  optional,
  string,
  typedArray,
  variant,
} from './field-checks.ts';
import { sampleCount, scalarType, sha256 } from './validate-commands.ts';

const MAX_BUFFER_BYTES = 2 ** 30;
const MAX_TEXTURE_PX = 8192;
const MAX_LEVELS = 14;
const MAX_SLICES = 2048;
const MAX_CODE_WORDS = 2 ** 22;
const MAX_NAMES = 4096;
const MAX_WORD_INDEX = 2 ** 24;

const wordIndex = integer(0, MAX_WORD_INDEX);
const name = string(1, 1024);
const blockEdgePx = integer(4, 12);

const textureFields = object({
  sha256,
  format: oneOf(Object.keys(TEXTURE_FORMATS) as TextureFormat[]),
  dimension: optional(oneOf(TEXTURE_DIMENSIONS)),
  widthPx: integer(1, MAX_TEXTURE_PX),
  heightPx: integer(1, MAX_TEXTURE_PX),
  sliceCount: optional(integer(1, MAX_SLICES)),
  levels: array(bytes(MAX_BUFFER_BYTES), MAX_LEVELS),
  levelCount: optional(integer(1, MAX_LEVELS)),
  isMipmapGenerated: boolean,
  sampleCount: optional(sampleCount),
  blockBytes: optional(integer(8, 256)),
  blockWidthPx: optional(blockEdgePx),
  blockHeightPx: optional(blockEdgePx),
});

/** Checks a texture by the rules for frames. Chiplets do not receive textures without contents. */
const texture: Check<TextureResource> = (value) => {
  const checked = textureFields(value);
  if (checked.levels.length === 0) throw new MalformedError('levels', 'the list is empty');
  const problem = findTextureProblem(checked);
  if (problem !== null) throw new MalformedError('', problem);
  return checked;
};

function stage<const S extends 'vertex' | 'fragment'>(which: S) {
  const slots = array(integer(0, 4096), 4096);
  return object({
    stage: oneOf([which]),
    code: typedArray(Uint32Array, MAX_CODE_WORDS),
    literals: typedArray(Uint32Array, MAX_CODE_WORDS),
    registerCount: integer(0, 65_536),
    arrayWords: wordIndex,
    inputSlots: slots,
    flatInputSlots: slots,
    outputSlots: slots,
    usesDiscard: boolean,
    usesDerivatives: boolean,
    usesVertexId: boolean,
    usesInstanceId: boolean,
  });
}

const program = object({
  sha256,
  vertex: stage('vertex'),
  positionOnly: stage('vertex'),
  fragment: stage('fragment'),
  attributes: array(
    object({
      name,
      scalarType,
      componentCount: integer(1, 4),
      locationCount: integer(1, 256),
      firstSlot: wordIndex,
    }),
    MAX_NAMES,
  ),
  uniforms: array(
    object({
      name,
      scalarType,
      rows: integer(1, 4),
      columns: integer(1, 4),
      arrayLength: integer(1, 65_536),
      isArray: boolean,
      firstWord: wordIndex,
    }),
    MAX_NAMES,
  ),
  samplers: array(
    object({
      name,
      dimension: oneOf(TEXTURE_DIMENSIONS),
      isShadow: boolean,
      arrayLength: integer(1, 256),
      firstSlot: integer(0, 256),
    }),
    MAX_NAMES,
  ),
  varyings: array(
    object({
      name,
      componentCount: integer(1, 4096),
      isFlat: boolean,
      firstComponent: wordIndex,
    }),
    MAX_NAMES,
  ),
  varyingComponentCount: integer(0, 4096),
  constantWords: integer(0, 65_536),
});

const type = oneOf(['resource']);

/** Checks the message `resource`. */
export const resourceMessage: Check<{ readonly type: 'resource' } & Resource> = variant('kind', {
  buffer: object({
    type,
    kind: oneOf(['buffer']),
    resource: object({ sha256, bytes: bytes(MAX_BUFFER_BYTES) }),
  }),
  texture: object({ type, kind: oneOf(['texture']), resource: texture }),
  program: object({ type, kind: oneOf(['program']), resource: program }),
});
