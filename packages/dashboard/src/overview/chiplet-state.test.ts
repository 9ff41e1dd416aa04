import { describe, expect, it } from 'vitest';
import { describeChipletState } from './chiplet-state.ts';

describe('describeChipletState', () => {
  const working = { mode: 'visibility', isReady: true, setAsideUntilMs: null } as const;

  it('describes the state of a chiplet, or that it is not ready', () => {
    expect(describeChipletState(working)).toBe('visibility');
    expect(describeChipletState({ ...working, isReady: false })).toBe('not ready');
  });

  it('shows until when a chiplet is quarantined', () => {
    const untilMs = new Date(2026, 0, 2, 3, 4, 5).getTime();
    const text = describeChipletState({ ...working, setAsideUntilMs: untilMs });
    expect(text).toBe(`quarantined until ${new Date(untilMs).toLocaleTimeString()}`);
  });
});
