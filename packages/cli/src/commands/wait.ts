import { Command } from 'commander'
import type { Client } from '@swath/client/client.ts'
import { isDecisionPending, waitForJob, waitForOrder, waitForUpload } from '@swath/client/wait/wait.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { findEntity, type Entity, type EntityKind } from '../transfers/find-entity.ts'

interface WaitCommandOptions extends ConnectionOptions, OutputOptions {
  readonly timeout?: string
}

const kinds: readonly EntityKind[] = ['order', 'job', 'upload']

/** `swath wait`: until an order, a job or an upload has ended. */
export function registerWait(command: Command, context: CommandContext): void {
  command
    .argument('<id...>', `an id, with its kind in front if you like: ${kinds.join(', ')}`)
    .option('--timeout <seconds>', 'give up after this time, with exit code 7 (default: wait)')
    .addHelpText('after', '\nA tasking order that needs a decision ends the wait, too.\n\nExample:\n  $ swath wait ORDER_ID --timeout 3600') // prettier-ignore
  addConnectionOptions(addOutputOptions(command))
  command.action(async (words: string[]) => {
    const options = command.opts<WaitCommandOptions>()
    const timeout_ms = readTimeout(options.timeout)
    await withConnection(context, options, async ({ client }) => {
      const entity = await findEntity(client, words, kinds)
      await writeOutput(context, options, await waitForEntity(context, client, entity, timeout_ms))
    })
  })
}

/** A time limit in seconds that was entered, in milliseconds; undefined without one. */
export function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!(seconds >= 0) || text.trim() === '') throw usageFailure(`--timeout must be a number of seconds, not "${text}".`)
  return seconds * 1000
}

/** Waits, telling each change on the standard error, and returns the last state. */
export async function waitForEntity(
  context: CommandContext,
  client: Client,
  { kind, id }: Entity,
  timeout_ms?: number,
): Promise<unknown> {
  // prettier-ignore
  const onChange = (state: { readonly status: string; readonly subStatus?: string | null }): void =>
    writeMessage(context, `${kind} ${id}: ${state.status}${state.subStatus ? ` (${state.subStatus})` : ''}`)
  const options = { onChange, ...(timeout_ms === undefined ? {} : { timeout_ms }) }
  if (kind === 'job') return waitForJob(client, id, options)
  if (kind === 'upload') return waitForUpload(client, id, options)
  const order = await waitForOrder(client, id, { ...options, until: isDecisionPending })
  if (isDecisionPending(order)) throw new CommandFailure('failure', `The order needs your decision (${order.subStatus}): swath orders tasking --help, or swath open order ${id}.`) // prettier-ignore
  return order
}
