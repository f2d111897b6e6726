import type { Client } from '@swath/client/client.ts'
import { createPagedCall } from '@swath/client/paging/paged-call.ts'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import type { CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { writeOutput, writeText, type OutputOptions } from '../output/write-output.ts'
import type { OperationEntry } from './operation-table.ts'

export interface OperationCall {
  readonly entry: Pick<OperationEntry, 'id' | 'response' | 'paging'>
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | null
}

/** Calls an operation and writes what it returns, in the form of its kind: JSON, bytes, or lines as they arrive. */
export async function callAndWrite(
  context: CommandContext,
  client: Client,
  { entry, input, idempotencyKey }: OperationCall,
  options: OutputOptions & { readonly all?: boolean },
): Promise<void> {
  const { id, response } = entry
  if (response === 'bytes') {
    if (options.out === undefined && context.stdout.isTTY)
      throw usageFailure(`${id} returns bytes: name a file with --out, or pipe the output into a program.`)
    return writeText(context, options.out, await client.bytes(id, input))
  }
  if (response !== 'json') {
    const lines = response === 'ndjson' ? client.lines(id, input) : client.events(id, input)
    return writeLines(context, lines, options.out)
  }
  if (options.all && entry.paging) {
    const rows = createPagedCall<object, object>((page) => client.call(id, page), input, entry.paging)
    return options.ndjson ? writeLines(context, rows, options.out) : writeOutput(context, options, await rows.all())
  }
  const callOptions = idempotencyKey === null ? {} : { idempotencyKey }
  return writeOutput(context, options, await client.call<unknown>(id, input, callOptions))
}

async function writeLines({ stdout }: CommandContext, lines: AsyncIterable<unknown>, file?: string): Promise<void> {
  const target = file === undefined || file === '-' ? stdout : createWriteStream(file)
  for await (const line of lines) if (!target.write(`${JSON.stringify(line)}\n`)) await once(target, 'drain')
  if (target !== stdout) await new Promise<void>((resolve) => target.end(resolve))
}
