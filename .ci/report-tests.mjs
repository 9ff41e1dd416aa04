/**
 * Reads vitest's JSON results for .ci/run.
 *
 *   node report-tests.mjs skipped FILE     prints the test files that skipped tests, one per line
 *   node report-tests.mjs totals FILE ...  prints each failed test with its first message, then the
 *                                          totals of all tests; a later result of a test replaces
 *                                          an earlier one
 */
import { readFileSync } from 'node:fs';

const [command, ...paths] = process.argv.slice(2);
const runs = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')).testResults);
const isSkipped = ({ status }) => status !== 'passed' && status !== 'failed';

if (command === 'skipped') {
  for (const { name, assertionResults } of runs.flat()) {
    if (assertionResults.some(isSkipped)) console.log(name);
  }
} else {
  const resultsByFile = new Map(runs.flat().map((file) => [file.name, file]));
  const files = [...resultsByFile.values()];
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (status) => tests.filter((test) => test.status === status).length;
  // A file that could not be loaded has no tests, but counts as failed.
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  for (const { name, message } of brokenFiles) console.log(`failed: ${name}\n  ${message}`);
  for (const { name, assertionResults } of files) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') console.log(`failed: ${name}: ${fullName}\n  ${failureMessages[0]}`);
    }
  }
  const failed = count('failed') + brokenFiles.length;
  const skipped = tests.filter(isSkipped).length;
  console.log(`tests: ${count('passed')} passed, ${failed} failed, ${skipped} skipped`);
}
