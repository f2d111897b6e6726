import { readFileSync } from 'node:fs'

/**
 * The text of the printed table of operations (tools/cli/print-commands.ts). The build of the package replaces this file by one that
 * has the text in itself.
 */
export const readTableText = (): string =>
  readFileSync(new URL('../../dist-commands/commands.tsv', import.meta.url), 'utf8')
