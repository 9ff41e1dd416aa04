/** Checks bulk resources that came over the wire: buffers, textures, compiled programs. */
import { TEXTURE_FORMATS, type TextureFormat, type TextureResource } from '@tessera/frame';
import {
  array,
  boolean,
  bytes,
  type Check,
  integer,
  MalformedError,
  object,
  oneOf,
  string,
  variant,
  words,
} from './field-checks.ts';
import type { Resource } from './messages.ts';
import { scalarType, sha256 } from './validate-commands.ts';

const MAX_BUFFER_BYTES = 2 ** 30;
const MAX_TEXTURE_PX = 8192;
const MAX_LEVELS = 14;
const MAX_CODE_WORDS = 2 ** 22;
const MAX_NAMES = 4096;
const MAX_WORD_INDEX = 2 ** 24;

const wordIndex = integer(0, MAX_WORD_INDEX);
const name = string(1, 1024);

const textureFields = object({
  sha256,
  format: oneOf(Object.keys(TEXTURE_FORMATS) as TextureFormat[]),
  widthPx: integer(1, MAX_TEXTURE_PX),
  heightPx: integer(1, MAX_TEXTURE_PX),
  levels: array(bytes(MAX_BUFFER_BYTES), MAX_LEVELS),
  isMipmapGenerated: boolean,
});

const texture: Check<TextureResource> = (value) => {
  const checked = textureFields(value);
  const { bytesPerTexel } = TEXTURE_FORMATS[checked.format];
  const { levels, widthPx, heightPx } = checked;
  if (levels.length === 0) throw new MalformedError('levels', 'empty');
  if (checked.isMipmapGenerated && levels.length > 1) {
    throw new MalformedError('levels', 'more than level 0 of a texture whose levels are generated');
  }
  levels.forEach((level, k) => {
    const texels = Math.max(1, widthPx >> k) * Math.max(1, heightPx >> k);
    if (level.length !== texels * bytesPerTexel) {
      throw new MalformedError(
        `levels[${k}]`,
        `${level.length} bytes, not ${texels * bytesPerTexel}`,
      );
    }
  });
  return checked;
};

function stage<const S extends 'vertex' | 'fragment'>(which: S) {
  const slots = array(integer(0, 4096), 4096);
  return object({
    stage: oneOf([which]),
    code: words(MAX_CODE_WORDS),
    literals: words(MAX_CODE_WORDS),
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
      dimension: oneOf(['2d', 'cube', '3d', '2d-array']),
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

/** The message `resource`. */
export const resourceMessage: Check<{ readonly type: 'resource' } & Resource> = variant('kind', {
  buffer: object({
    type,
    kind: oneOf(['buffer']),
    resource: object({ sha256, bytes: bytes(MAX_BUFFER_BYTES) }),
  }),
  texture: object({ type, kind: oneOf(['texture']), resource: texture }),
  program: object({ type, kind: oneOf(['program']), resource: program }),
});
