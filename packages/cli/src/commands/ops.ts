import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { readOperationTable } from '../operations/operation-table.ts'

/** `swath ops [word]`: every operation with its effect, or those of an area. */
export function registerOps(command: Command, context: CommandContext): void {
  command.argument('[area]', 'only ids that begin with it').action((area: string | undefined) => {
    const table = readOperationTable()
    const ids = table.ids.filter((id) => area === undefined || id.startsWith(`${area}.`))
    for (const id of ids) context.stdout.write(`${id.padEnd(44)} ${table.find(id)!.effect}\n`)
  })
}
