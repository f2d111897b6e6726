import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { addFieldFlags, readOperationInput } from '../operations/flags.ts'
import { readOperationTable, type OperationEntry, type OperationField } from '../operations/operation-table.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'

/** `swath trigger <scenario>`: makes hosts and banks of a sandbox fail, each kind a command with its flags. */
export function registerTrigger(command: Command, context: CommandContext): void {
  const entry = readOperationTable().find('sandbox.scenario.run')
  const variants = entry?.fields.find(({ name }) => name === 'scenario')?.variants ?? {}
  for (const [kind, fields] of Object.entries(variants)) addScenario(command, context, kind, fields)
  command.addHelpText('after', '\nOnly sandbox organizations have scenarios: swath organizations create --name Trial --sandbox\n\nExample:\n  $ swath trigger host.delay --seconds 3600') // prettier-ignore
}

function addScenario(parent: Command, context: CommandContext, kind: string, fields: readonly OperationField[]): void {
  const entry: OperationEntry = { id: 'sandbox.scenario.run', summary: kind, effect: 'compute', response: 'json', fields: fields.filter(({ name }) => name !== 'kind') } // prettier-ignore
  const command = parent.command(kind).description(describeScenario(kind))
  addFieldFlags(command, entry)
  addConnectionOptions(addOutputOptions(command))
  command.action(async () => {
    const scenario = { kind, ...(await readOperationInput(command, entry, context)) }
    const options = command.opts<ConnectionOptions & OutputOptions>()
    await withConnection(context, options, async ({ client }) => {
      const output = await client.call<{ scenarios?: unknown }>('sandbox.scenario.run', { scenario })
      if (output.scenarios === undefined) throw usageFailure('The server has no scenarios.')
      await writeOutput(context, options, output)
    })
  })
}

/** `host.lose_response` is "Host: lose response." */
const describeScenario = (kind: string): string => {
  const [who = '', what = ''] = kind.split('.')
  return `${who === 'host' ? 'Hosts' : 'Banks'}: ${what.replaceAll('_', ' ')}.`
}
