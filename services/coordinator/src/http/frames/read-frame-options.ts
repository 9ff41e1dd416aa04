/** Reads the rendering options of a frame from a query. */
import {
  DEFAULT_OPTIONS,
  parseGridRequest,
  RenderError,
  requireTimelineCycles,
} from '@tessera/frame';
import {
  type OrganizationOptions,
  parsePlacement,
  refuseManyMachines,
  requireLink,
  requireOrganization,
  requireVisibilityChiplets,
  requireVisibilityDelivery,
  type VisibilityOptions,
} from '@tessera/multi-chiplet/rendering';
import {
  ENVIRONMENTS,
  isEnvironmentName,
  MODEL_OPTION_NAMES,
  type ModelOptionTexts,
  parseModelOptions,
  pickModelOptions,
} from '@tessera/scenes/model-options';
import type { Config } from '../../config/config.ts';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import type { SourceKind } from '../../prepare/frame-source.ts';
import { requestedSpec } from '../../specs/requested-spec.ts';
import type { NamedSpecs } from '../../specs/spec-store.ts';
import { readEnergyQuery } from '../protocol/energy-choices.ts';
import type { FrameQuery } from './frame-schemas.ts';
import { readInterconnect } from './link-options.ts';

/** Parameters that only a model has; captures and native frames define them themselves. */
const MODEL_PARAMETERS = ['width', 'height', 'camera', 'time', ...MODEL_OPTION_NAMES] as const;

/**
 * Returns the options of a query, with defaults for those it leaves out.
 *
 * @throws {RenderError} REQUEST_INVALID if the grid or the specification is not valid;
 *   LIMIT_EXCEEDED for a budget of instructions above the service's, or too many coupled chiplets.
 */
export function readFrameOptions(
  query: FrameQuery,
  config: Config,
  specs: NamedSpecs,
): FrameOptions {
  if (query.timing === 'cycle' && query.coupling === 'exact') {
    refuseManyMachines(query.chiplets ?? 0);
  }
  const interconnect = readInterconnect(query, config);
  const placement = query.placement === undefined ? undefined : parsePlacement(query.placement);
  requireLink({ timing: query.timing, coupling: query.coupling, placement, interconnect });
  requireTimelineCycles({ ...query, timelineCycles: query.timeline });
  const { visibilityChiplets, visibilityDelivery } = query;
  requireVisibilityDelivery({ visibilityDelivery, splits: query.split, placement });
  requireSharedVisibility({ visibilityChiplets, placement }, query.chiplets ?? null);
  const { organization, split: splits } = query;
  const shares = { organization, visibilityChiplets, visibilityDelivery, placement, splits };
  requireKnownOrganization(shares, query.chiplets ?? null, config);
  return {
    widthPx: query.width ?? DEFAULT_OPTIONS.widthPx,
    heightPx: query.height ?? DEFAULT_OPTIONS.heightPx,
    policy: query.policy,
    binCount: query.bins,
    grid: query.grid === undefined ? undefined : parseGridRequest(query.grid, 'query.grid'),
    splits: query.split,
    cullsOccluded: query.occlusion,
    visibilityShader: query.visibility,
    visibilityChiplets,
    visibilityDelivery,
    timing: query.timing,
    coupling: query.coupling,
    spec: requestedSpec(query, specs, config, config.TESSERA_SPEC),
    chipletCount: query.chiplets ?? null,
    interconnect,
    placement,
    overlap: query.overlap,
    organization,
    timelineCycles: query.timeline,
    energy: readEnergyQuery(query),
    cameraIndex: query.camera ?? null,
    timeSeconds: query.time ?? 0,
    modelOptions: readModelOptions(query, {}),
  };
}

/**
 * Rejects visibility phases on more chiplets than the frame asks for.
 *
 * @param chipletCount Number of chiplets of the GPU; null for those that are connected.
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function requireSharedVisibility(
  options: VisibilityOptions,
  chipletCount: number | null,
): void {
  const { visibilityChiplets = 1 } = options;
  if (chipletCount !== null) requireVisibilityChiplets(options, chipletCount);
  else if (visibilityChiplets > 1) {
    throw new RenderError(
      'REQUEST_INVALID',
      `query.visibilityChiplets: ${visibilityChiplets} needs query.chiplets, at least as many`,
    );
  }
}

/**
 * Rejects an organization that does not fit the other options, or that has to know the number of
 * chiplets.
 *
 * @param chipletCount Number of chiplets of the GPU; null for those that are connected.
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function requireKnownOrganization(
  options: OrganizationOptions,
  chipletCount: number | null,
  { TESSERA_VISIBILITY_RENDERS: isVisibilityChipletRendering }: Config,
): void {
  requireOrganization({ ...options, isVisibilityChipletRendering });
  if (options.organization === 'sort-last' && chipletCount === null) {
    throw new RenderError(
      'REQUEST_INVALID',
      'query.organization: sort-last needs query.chiplets, among which it divides the draws',
    );
  }
}

/**
 * Returns the options of a model's image in a query, after those of an earlier frame.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function readModelOptions(
  query: ModelOptionTexts,
  before: ModelOptionTexts,
): ModelOptionTexts {
  const texts = { ...before, ...pickModelOptions(query) };
  try {
    const { quality, environment } = parseModelOptions(texts);
    if (quality === 'full') requireEnvironment(environment);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new RenderError(error.code, `query.${error.message}`, { cause: error });
  }
  return texts;
}

function requireEnvironment(environment: string): void {
  if (isEnvironmentName(environment) || /^[0-9a-f]{64}$/.test(environment)) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `environment: "${environment}" is neither ${ENVIRONMENTS.join(', ')} nor the SHA-256 of a stored resource`,
  );
}

/** Whether a source is a glTF model, which takes its size, camera and time from the query. */
export function isModel(kind: SourceKind): boolean {
  return kind === 'glb' || kind === 'gltf';
}

/**
 * Rejects model parameters in the query of a capture or native frame.
 *
 * @throws {RenderError} REQUEST_INVALID; the message names the first parameter that is wrong.
 */
export function refuseModelParameters(
  kind: SourceKind,
  query: Partial<Record<(typeof MODEL_PARAMETERS)[number], unknown>>,
): void {
  if (isModel(kind)) return;
  const name = MODEL_PARAMETERS.find((parameter) => query[parameter] !== undefined);
  if (name === undefined) return;
  const source = kind === 'capture' ? 'capture' : 'native frame';
  throw new RenderError(
    'REQUEST_INVALID',
    `query.${name}: a ${source} defines its own size, camera and time`,
  );
}

/**
 * Rejects a model's image that has too many pixels.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseLargeImage(
  kind: SourceKind,
  { widthPx, heightPx }: FrameOptions,
  { TESSERA_MAX_PIXELS: maxPixels }: Config,
): void {
  const pixels = widthPx * heightPx;
  if (!isModel(kind) || pixels <= maxPixels) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `query.width × query.height: ${pixels} pixels; at most ${maxPixels}`,
  );
}
