import type { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, type OutputOptions } from '../output/write-output.ts'
import { callAndWrite } from './call-operation.ts'
import { describeEffect, requireConsent } from './confirm-effect.ts'
import { printCurl } from './curl.ts'
import { createIdempotencyKey } from './random-values.ts'
import { addFieldFlags, readOperationInput, toFlagName } from './flags.ts'
import { toCommandWords, type OperationEntry, type OperationField } from './operation-table.ts'

interface OperationOptions extends ConnectionOptions, OutputOptions {
  readonly yes?: boolean
  readonly curl?: boolean
  readonly all?: boolean
  readonly idempotencyKey?: string
}

/** Makes a command of an operation: its flags, its help with an example, and the call. */
export function buildOperationCommand(command: Command, entry: OperationEntry, context: CommandContext): void {
  command.description(entry.summary).optionsGroup('Input:')
  addFieldFlags(command, entry)
  command.option('--input <json|file|->', 'the whole input as JSON, from a file, or - for the standard input; flags replace its members') // prettier-ignore
  command.optionsGroup('Call:')
  if (isDangerous(entry)) command.option('--yes', 'do not ask')
  if (entry.idempotent)
    command.option('--idempotency-key <key>', 'repeats of the call with this key are done once (default: a new one)')
  if (entry.paging) command.option('--all', 'print the rows of all pages, from the first one that the input names')
  command.option('--curl', 'print the request as a curl command and do not send it')
  addConnectionOptions(addOutputOptions(command))
  command.addHelpText('after', `\nExample:\n  $ ${printExample(entry)}\n\nOperation ${entry.id}, effect: ${entry.effect}${callersNote(entry)}.`) // prettier-ignore
  command.action(() => runOperation(command, entry, context))
}

const isDangerous = ({ effect }: OperationEntry): boolean => effect === 'spend' || effect === 'destructive'

const callersNote = ({ callers }: OperationEntry): string => (callers === undefined ? '' : `, only for ${callers}`)

async function runOperation(command: Command, entry: OperationEntry, context: CommandContext): Promise<void> {
  const options = command.opts<OperationOptions>()
  const input = await readOperationInput(command, entry, context)
  const idempotencyKey = entry.idempotent ? (options.idempotencyKey ?? createIdempotencyKey()) : null
  const question = options.curl ? null : describeEffect(entry, input)
  if (question !== null) await requireConsent(context, options.yes === true, question)
  await withConnection(context, options, async ({ client, connection }) => {
    if (options.curl) context.stdout.write(`${printCurl(connection.address, entry.id, input, idempotencyKey)}\n`)
    else await callAndWrite(context, client, { entry, input, idempotencyKey }, options)
  })
}

/** A call with the required flags; what only the user knows is in capitals. */
export function printExample(entry: OperationEntry): string {
  const flags = entry.fields.filter(({ required }) => required).map((field) => `--${toFlagName(field.name)} ${exampleOf(field)}`) // prettier-ignore
  const consent = isDangerous(entry) ? ['--yes'] : []
  return ['swath', ...toCommandWords(entry.id), ...flags, ...consent].join(' ')
}

function exampleOf({ name, kind, choices, default: value }: OperationField): string {
  if (choices) return choices[0]!
  if (value !== undefined && kind !== 'json') return String(value)
  if (kind === 'json') return `@${toFlagName(name)}.json`
  return kind === 'string' ? toFlagName(name).replaceAll('-', '_').toUpperCase() : '1'
}
