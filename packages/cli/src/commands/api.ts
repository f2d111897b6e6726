import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { callAndWrite } from '../operations/call-operation.ts'
import { printCurl } from '../operations/curl.ts'
import { readJson } from '../operations/flags.ts'
import { readOperationTable } from '../operations/operation-table.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, type OutputOptions } from '../output/write-output.ts'

interface ApiOptions extends ConnectionOptions, OutputOptions {
  readonly key?: string
  readonly curl?: boolean
}

/** `swath api <id> [input]`: a raw call, which asks nothing; `npm run op` is the same. */
export function registerApi(command: Command, context: CommandContext): void {
  command
    .argument('<id>', 'an operation, such as orders.list (swath ops lists them)')
    .argument('[input]', 'the input as JSON, @file, or - for the standard input')
    .option('--key <key>', 'the idempotency key: repeats of the call with this key are done once')
    .option('--curl', 'print the request as a curl command and do not send it')
    .addHelpText('after', `\nExample:\n  $ swath api collections.list '{"project_id": "…", "limit": 5}'`)
  addConnectionOptions(addOutputOptions(command))
  command.action((id: string, text: string | undefined) => callRaw(context, id, text, command.opts<ApiOptions>()))
}

async function callRaw(
  context: CommandContext,
  id: string,
  text: string | undefined,
  options: ApiOptions,
): Promise<void> {
  // prettier-ignore
  const input = text === undefined ? {} : ((await readJson(context, text, 'The input')) as Record<string, unknown>)
  const idempotencyKey = options.key ?? null
  // An id that this version does not know may be one of a newer server.
  const entry = readOperationTable().find(id) ?? { id, response: 'json' as const }
  // A raw call prints JSON on terminals, too.
  const asJson = entry.response === 'json' && !options.table && !options.csv && !options.geojson && !options.ndjson
  await withConnection(context, options, ({ client, connection }) =>
    options.curl
      ? Promise.resolve(void context.stdout.write(`${printCurl(connection.address, id, input, idempotencyKey)}\n`))
      : callAndWrite(context, client, { entry, input, idempotencyKey }, asJson ? { ...options, json: true } : options),
  )
}
