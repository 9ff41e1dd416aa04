import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Two cores: more workers only make the real processes of test/service wait for each other.
    maxWorkers: 2,
    // Generous: tests of real processes share two cores with whatever else the machine does.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
