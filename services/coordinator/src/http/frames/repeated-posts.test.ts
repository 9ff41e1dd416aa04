import type { Sha256 } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import type { FrameSource } from '../../prepare/frame-source.ts';
import { fingerprintOf } from './repeated-posts.ts';

const SOURCE: FrameSource = {
  kind: 'glb',
  files: [
    {
      name: 'model/gltf-binary',
      sha256: '9c48227f33b0ba2fbcf23b98ebf60d1c8ae0c6e6c5281e0aa3cc58affee10382' as Sha256,
      bytes: 1924,
    },
  ],
  frameIndex: 0,
};
const QUERY = { width: 96, height: 64, bins: 4, chiplets: 2 };
/** Defaults that a checked query had in version 0.1.0. */
const FORMER_DEFAULTS = { policy: 'dynamic', visibility: 'minimal', timing: 'cycle' };
/** Fingerprint of the post in a journal of version 0.1.0. */
const FORMER_FINGERPRINT = 'cbc688670aac286f9f259010fe3a8fb1daa75f96fe4dcb043bc7a70d1937f805';

describe('the fingerprint of a post', () => {
  it('is that of version 0.1.0 if no later parameter was sent', () => {
    const query = { ...QUERY, ...FORMER_DEFAULTS, coupling: 'exact' };
    expect(fingerprintOf(SOURCE, query)).toBe(FORMER_FINGERPRINT);
  });

  it.each([{ coupling: 'none' }, { quality: 'simple' }, { policy: 'static' }])(
    'differs with %j',
    (sent) => {
      const query = { ...QUERY, ...FORMER_DEFAULTS, coupling: 'exact', ...sent };
      expect(fingerprintOf(SOURCE, query)).not.toBe(FORMER_FINGERPRINT);
    },
  );
});
