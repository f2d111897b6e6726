import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comfortSummaries } from '../../packages/cli/src/commands/comfort-summaries.ts'
import { toFlagName } from '../../packages/cli/src/operations/flags.ts'
import { readOperationTable, toCommandWords } from '../../packages/cli/src/operations/operation-table.ts'
import { runCli } from '../../packages/cli/test/run-cli.ts'

const table = readOperationTable()

test('every command prints its help: summary, flags, an example', async () => {
  const commands = [...table.ids.map(toCommandWords), ...Object.keys(comfortSummaries).map((name) => [name])]
  for (const words of commands) {
    const { code, out, err } = await runCli([...words, '--help'])
    assert.deepEqual([code, err], [0, ''], words.join(' '))
    const entry = table.find(words.join('.').replaceAll('-', '_'))
    assert.match(out, entry ? /\nExample:\n {2}\$ swath / : /^Usage: swath /, words.join(' '))
    for (const { name } of entry?.fields ?? []) assert.match(out, new RegExp(`--(no-)?${toFlagName(name)}\\b`), words.join(' ')) // prettier-ignore
  }
})
