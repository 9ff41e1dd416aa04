import { defineConfig } from 'vitest/config';

/** Tests of packages and services, and those of the whole in `test/`. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // More workers than cores would only make the processes of test/service wait for each other.
    maxWorkers: 2,
    // Generous, because tests of real processes share two cores with other programs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A loaded machine needs more than the second that is the default.
    expect: { poll: { timeout: 60_000 } },
  },
});
