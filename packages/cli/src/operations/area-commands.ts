import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { buildOperationCommand } from './operation-command.ts'
import { findOperationByWords, readOperationTable, toCommandWords, type OperationTable } from './operation-table.ts'

export interface OperationArea {
  readonly name: string
  readonly description: string
}

/** The first words of all operations, as commands. */
export function describeAreas(table: OperationTable = readOperationTable()): OperationArea[] {
  const counts = new Map<string, number>()
  for (const id of table.ids) {
    const name = toCommandWords(id)[0]!
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, description: `${count} ${count === 1 ? 'operation' : 'operations'}` })) // prettier-ignore
}

/** Adds the operations of an area; only the one that the words name has its flags. */
export function addAreaCommands(area: Command, words: readonly string[], context: CommandContext): void {
  const table = readOperationTable()
  const called = findOperationByWords(table, words)
  for (const id of table.ids) {
    const path = toCommandWords(id)
    if (path[0] !== area.name()) continue
    const command = path.slice(1).reduce((parent, word) => findOrAdd(parent, word), area)
    const entry = table.find(id)!
    if (id === called?.id) buildOperationCommand(command, entry, context)
    else command.description(entry.summary)
  }
}

function findOrAdd(parent: Command, word: string): Command {
  const found = parent.commands.find((command) => command.name() === word)
  if (found) return found
  const command = parent.command(word)
  if (word.includes('-')) command.alias(word.replaceAll('-', '_'))
  return command
}
