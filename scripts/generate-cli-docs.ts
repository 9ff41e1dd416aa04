/** Writes docs/cli.md from the table of commands: `npm run docs:cli`. */
import { writeFileSync } from 'node:fs';
import { COMMANDS, OVERVIEW } from '../packages/experiments/src/commands.ts';
import { EXIT_STATUSES } from '../packages/experiments/src/exit-status.ts';

const parts = [
  `# The command line

\`npx tessera\` works anywhere in the clone (\`npm run tessera --\` does the same and installs what is missing first). All
commands but \`submit\` and \`chiplets\` run in this process, without a service, through the same flow. A test holds this page to the code.

\`\`\`text
${OVERVIEW}\`\`\`

## Exit status

| status | meaning |
| --- | --- |
${Object.entries(EXIT_STATUSES)
  .map(([s, m]) => `| \`${s}\` | ${m} |`)
  .join('\n')}

Progress bars appear on the standard error, and only where that is a terminal.
`,
];
for (const [name, { usage }] of Object.entries(COMMANDS))
  parts.push(`\n## ${name}\n\n\`\`\`text\n${usage}\`\`\`\n`);
writeFileSync(new URL('../docs/cli.md', import.meta.url), parts.join(''));
