/** Error of a frame that names resources that are not stored. */
import { RenderError, type Sha256 } from '@tessera/frame';

/** Upper bound on hashes in the message. The problem response lists all of them. */
const MAX_IN_MESSAGE = 3;

/** RESOURCES_MISSING with the hashes of the missing resources. */
export class MissingResourcesError extends RenderError {
  readonly missing: readonly Sha256[];

  constructor(missing: readonly Sha256[]) {
    const shown = missing.slice(0, MAX_IN_MESSAGE).join(', ');
    const more = missing.length > MAX_IN_MESSAGE ? ', …' : '';
    super('RESOURCES_MISSING', `${missing.length} resources are missing: ${shown}${more}`);
    this.missing = missing;
  }
}
