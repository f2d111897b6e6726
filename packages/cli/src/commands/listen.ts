import { Command } from 'commander'
import type { Client } from '@swath/client/client.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { writeMessage, type CommandContext } from '../context.ts'
import { classifyFailure, usageFailure } from '../failures.ts'
import { createSigningSecret } from '../operations/random-values.ts'
import { createStyle } from '../output/colours.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { forwardEvent, type PlatformEvent } from '../webhooks/forward-event.ts'

interface ListenOptions extends ConnectionOptions {
  readonly forwardTo?: string
  readonly event?: string[]
  readonly count?: string
  readonly after?: string
}

const reconnect_ms = 2000

/** `swath listen`: events as they happen, forwarded to a program of this machine as signed webhooks. */
export function registerListen(command: Command, context: CommandContext): void {
  command
    .option('--forward-to <url>', 'post each event there as a webhook delivery, such as http://localhost:3000/hooks')
    .option('--event <type>', 'only events of this type, such as order.fulfilled, or order.*; may be repeated', (text: string, before: string[] = []) => [...before, text]) // prettier-ignore
    .option('--count <count>', 'end after so many events')
    .option('--after <event id>', 'begin after this event, instead of with new ones')
    .addHelpText('after', '\nDeliveries are signed as those of the platform, with a secret that is printed at the start (or SWATH_WEBHOOK_SECRET):\nverifyWebhook(secret, …) of @swath/client accepts them.\n\nExample:\n  $ swath listen --forward-to http://localhost:3000/hooks --event "order.*"') // prettier-ignore
  addConnectionOptions(command)
  command.action(() => listen(context, command.opts<ListenOptions>()))
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { forwardTo } = options
  const count = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count)
  if (!(count >= 1)) throw usageFailure('--count must be a positive integer.')
  if (forwardTo !== undefined && !/^https?:/.test(forwardTo)) throw usageFailure('--forward-to must be an http: or https: URL.') // prettier-ignore
  const secret = context.env['SWATH_WEBHOOK_SECRET'] ?? createSigningSecret()
  if (forwardTo !== undefined) writeMessage(context, `Forwarding to ${forwardTo}; the signing secret is ${secret}`)
  await withConnection(context, options, async ({ client }) => {
    let seen = 0
    for await (const event of followEvents(context, client, options.after)) {
      if (!isWanted(event.event_type, options.event)) continue
      const outcome = forwardTo === undefined ? '' : await forwardEvent(forwardTo, secret, event)
      printEvent(context, event, outcome)
      seen += 1
      if (seen >= count) return
    }
  })
}

/** The events without an end: the stream is opened again after the last one that was received. */
async function* followEvents(
  context: CommandContext,
  client: Client,
  after: string | undefined,
): AsyncGenerator<PlatformEvent> {
  // prettier-ignore
  let last_event_id = after
  const onOpen = (): void => writeMessage(context, 'Listening (Ctrl+C ends it) …')
  for (;;) {
    try {
      const input = last_event_id === undefined ? {} : { last_event_id }
      for await (const event of client.events<PlatformEvent>('events.stream', input, { onOpen })) {
        last_event_id = event.event_id
        yield event
      }
    } catch (error) {
      if (classifyFailure(error) !== 'temporary') throw error
      writeMessage(context, 'The connection broke; connecting again …')
      await wait(reconnect_ms)
    }
  }
}

/** `order.*` is every type of orders. */
const isWanted = (type: string, patterns: readonly string[] | undefined): boolean =>
  patterns === undefined ||
  patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern))

/** A line for people; JSON into pipes. */
function printEvent({ env, stdout }: CommandContext, event: PlatformEvent, outcome: string): void {
  if (!stdout.isTTY) return void stdout.write(`${JSON.stringify(event)}\n`)
  const style = createStyle(env, stdout)
  stdout.write(`${style('dim', event.timestamp)}  ${style('bold', event.event_type.padEnd(28))} ${event.entity_id}  ${outcome}\n`) // prettier-ignore
}
