import type { Client } from '@swath/client/client.ts'
import { Command } from 'commander'
import { formatCredits, priceColumns, type PricedCaptures } from '../catalog/prices.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { classifyFailure, CommandFailure, usageFailure } from '../failures.ts'
import { requireConsent } from '../operations/confirm-effect.ts'
import { createStyle } from '../output/colours.ts'
import { printTable } from '../output/table.ts'
import {
  addConnectionOptions,
  withConnection,
  type ConnectionOptions,
  type OpenConnection,
} from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { addCaptureOptions, toPriceInput, type CaptureOptions } from './price.ts'

interface BuyOptions extends CaptureOptions, ConnectionOptions, OutputOptions {
  readonly quote?: string
  readonly project?: string
  readonly maxCredits?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

interface PlacedOrder {
  readonly id: string
  readonly totalCredits: number
}

/** `swath buy`: locks the price, shows it, asks, and orders at this price or not at all. */
export function registerBuy(command: Command, context: CommandContext): void {
  addCaptureOptions(command)
    .option('--quote <id>', 'a locked price of swath price --lock, instead of scenes')
    .option('--project <id>', 'the project of the delivery (default: your oldest)')
    .option('--max-credits <count>', 'refuse a higher price')
    .option('--dry-run', 'check everything and order nothing')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  $ swath buy naip-va-17n --area @field.geojson --max-credits 2000\n  $ swath wait ORDER_ID && swath download ORDER_ID') // prettier-ignore
  addConnectionOptions(addOutputOptions(command))
  command.action((scenes: string[]) => buy(context, scenes, command.opts<BuyOptions>()))
}

async function buy(context: CommandContext, scenes: readonly string[], options: BuyOptions): Promise<void> {
  const max_credits = readCredits(options.maxCredits)
  if ((scenes.length > 0) === (options.quote !== undefined)) throw usageFailure('Name scenes, or a locked price with --quote.') // prettier-ignore
  // The price that the person has agreed to, if the call is repeated as another caller.
  let agreed_credits: number | null = null
  await withConnection(context, options, async (open) => {
    const { quote_id, total_credits } = options.quote === undefined ? await lockPrice(context, open, scenes, options) : await readQuote(open, options.quote) // prettier-ignore
    if (max_credits !== null && total_credits > max_credits)
      throw new CommandFailure('money', `It costs ${formatCredits(total_credits)}, more than --max-credits ${max_credits}; nothing was bought.`) // prettier-ignore
    const project = options.project ? { projectId: options.project } : {}
    const licence = options.licence === undefined ? {} : { licenseType: options.licence }
    const input = { quote_id, max_credits: total_credits, ...project, ...licence }
    // What is wrong with a licence or a project shows before anybody agrees.
    if (!options.dryRun) await open.client.call('orders.archive.place', { ...input, dry_run: true })
    if (!options.dryRun && agreed_credits !== total_credits) {
      await requireConsent(context, options.yes === true, `Buy for ${formatCredits(total_credits)}?`)
      agreed_credits = total_credits
    }
    // The key is that of the lock, so that a call whose answer was lost can be repeated.
    const order = await placeOrder(open.client, { ...input, dry_run: options.dryRun === true }, `quote-${quote_id}`)
    writeMessage(context, options.dryRun ? `Nothing was bought; it would cost ${formatCredits(order.totalCredits)}.` : `Ordered: swath wait ${order.id}`) // prettier-ignore
    await writeOutput(context, options, order)
  })
}

/** Orders, once for a key; without an answer it says what to look at. */
export const placeOrder = (client: Client, purchase: object, idempotencyKey: string): Promise<PlacedOrder> =>
  client.call<PlacedOrder>('orders.archive.place', purchase, { idempotencyKey }).catch((error: unknown) => {
    if (classifyFailure(error) !== 'temporary') throw error
    const message =
      'It is not known whether the order was placed: look at swath orders list before you repeat the command.'
    throw new CommandFailure('temporary', message, { cause: error })
  })

/** A number of credits that was entered; null without one. */
export function readCredits(text: string | undefined): number | null {
  if (text === undefined) return null
  const credits = Number(text)
  if (!Number.isSafeInteger(credits) || credits < 0 || text.trim() === '') throw usageFailure(`--max-credits must be an integer, not "${text}".`) // prettier-ignore
  return credits
}

/** Locks the price of scenes, shows its lines and the licences that must be accepted first. */
async function lockPrice(
  context: CommandContext,
  open: OpenConnection,
  scenes: readonly string[],
  options: BuyOptions,
): Promise<{ quote_id: string; total_credits: number }> {
  // prettier-ignore
  const quote = await open.client.call<PricedCaptures & { quote_id: string }>('orders.quote', await toPriceInput(context, open, scenes, options)) // prettier-ignore
  requireAcceptedLicences(quote)
  const layout = { width: context.stderr.columns || 100, style: createStyle(context.env, context.stderr) }
  writeMessage(context, printTable((quote.lines ?? []).map((line) => ({ ...line })), layout, priceColumns)) // prettier-ignore
  return quote
}

/** Throws for licence texts that nobody of the organization has accepted. */
export function requireAcceptedLicences({ eulas = [] }: PricedCaptures): void {
  const open = eulas.filter(({ isAccepted }) => !isAccepted)
  if (open.length > 0)
    throw new CommandFailure('usage', `Accept the licence first: ${open.map(({ title, documentId }) => `"${title}" (swath eulas document accept --help; document ${documentId})`).join(', ')}.`) // prettier-ignore
}

/** The price of a quote, which a dry run tells. */
async function readQuote(
  { client }: OpenConnection,
  quote_id: string,
): Promise<{ quote_id: string; total_credits: number }> {
  // prettier-ignore
  const { totalCredits } = await client.call<PlacedOrder>('orders.archive.place', { quote_id, dry_run: true })
  return { quote_id, total_credits: totalCredits }
}
