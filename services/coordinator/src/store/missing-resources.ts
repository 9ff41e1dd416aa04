/** A frame that names resources which the service does not have. */
import { RenderError, type Sha256 } from '@tessera/frame';

/** Hashes that stand in the message; the problem lists them all. */
const MAX_IN_MESSAGE = 3;

export class MissingResourcesError extends RenderError {
  readonly missing: readonly Sha256[];

  constructor(missing: readonly Sha256[]) {
    const shown = missing.slice(0, MAX_IN_MESSAGE).join(', ');
    const more = missing.length > MAX_IN_MESSAGE ? ', …' : '';
    super('RESOURCES_MISSING', `${missing.length} resources are not here: ${shown}${more}`);
    this.missing = missing;
  }
}
