import { Command } from 'commander'
import type { Client } from '@swath/client/client.ts'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { formatCredits, type PricedCaptures } from '../catalog/prices.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { requireConsent } from '../operations/confirm-effect.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { isLicensed, listHeldCaptures, type HeldCapture } from '../plan/held-captures.ts'
import { isSameCapture, makePlan, toPriceRequest, type OrderPlan, type PurchasePlan } from '../plan/make-plan.ts'
import { readPlanFile } from '../plan/read-plan.ts'
import { placeOrder, readCredits, requireAcceptedLicences } from './buy.ts'
import { planFileHelp, printPlan } from './plan.ts'

interface ApplyOptions extends ConnectionOptions, OutputOptions {
  readonly maxCredits?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `swath apply`: buys what a plan says, at the planned price or not at all; what is held already is not bought again. */
export function registerApply(command: Command, context: CommandContext): void {
  command
    .argument('<file>', 'a plan of swath plan --out, or a YAML file of orders, which is planned first')
    .option('--max-credits <count>', 'refuse a higher total')
    .option('--dry-run', 'check everything and order nothing')
    .option('--yes', 'do not ask')
    .addHelpText('after', `\n${planFileHelp}`)
  addConnectionOptions(addOutputOptions(command))
  command.action((file: string) => apply(context, file, command.opts<ApplyOptions>()))
}

async function apply(context: CommandContext, file: string, options: ApplyOptions): Promise<void> {
  const max_credits = readCredits(options.maxCredits)
  let agreed_credits: number | null = null
  await withConnection(context, options, async ({ client }) => {
    const plan = await loadPlan(context, client, file)
    writeMessage(context, printPlan(context, plan))
    if (max_credits !== null && plan.total_credits > max_credits)
      throw new CommandFailure('money', `It costs ${formatCredits(plan.total_credits)}, more than --max-credits ${max_credits}; nothing was bought.`) // prettier-ignore
    const open = plan.orders.filter(({ buy }) => buy.length > 0)
    if (open.length > 0 && !options.dryRun && agreed_credits !== plan.total_credits) {
      await requireConsent(context, options.yes === true, `Buy all of it for ${formatCredits(plan.total_credits)}?`)
      agreed_credits = plan.total_credits
    }
    const placed: object[] = []
    try {
      // What is wrong with one order shows before another one is placed.
      const checked = []
      for (const order of open) checked.push({ order, purchase: await checkOrder(client, order) })
      for (const { order, purchase } of options.dryRun ? [] : checked) {
        const done = await placeOrder(client, purchase, `apply-${digest([plan.basis, purchase])}`)
        placed.push({ name: order.name, ...done })
        writeMessage(context, `Ordered "${order.name}": swath wait ${done.id}`)
      }
      if (options.dryRun) placed.push(...checked.map(({ order }) => ({ name: order.name, totalCredits: order.total_credits }))) // prettier-ignore
    } finally {
      await writeOutput(context, options, { orders: placed }, ['name', 'id', 'status', 'totalCredits'])
    }
  })
}

/** A plan of a file; of one that was made earlier, what has been ordered since is left out. */
async function loadPlan(context: CommandContext, client: Client, file: string): Promise<PurchasePlan> {
  const text = file.endsWith('.json') ? await readFile(file, 'utf8').catch(() => '') : ''
  const stored = text === '' ? null : parsePlan(text, file)
  if (stored === null) return makePlan(context, client, await readPlanFile(file))
  const { captures, basis } = await listHeldCaptures(client)
  const orders = stored.orders.map((order) => leaveOutOrdered(order, captures))
  return { basis, orders, total_credits: orders.reduce((sum, { total_credits }) => sum + total_credits, 0) }
}

/** A plan that was made earlier; null for a file of orders. */
function parsePlan(text: string, file: string): PurchasePlan | null {
  let plan: Partial<PurchasePlan> | null
  try {
    plan = JSON.parse(text) as Partial<PurchasePlan> | null
  } catch (error) {
    throw usageFailure(`${file} is not JSON: ${(error as Error).message}`)
  }
  if (typeof plan?.total_credits !== 'number') return null
  const isWhole = Array.isArray(plan.orders) && plan.orders.every((order) => Array.isArray(order?.buy) && Array.isArray(order.held)) // prettier-ignore
  if (!isWhole) throw usageFailure(`${file} is not a plan of swath plan --out.`)
  return plan as PurchasePlan
}

/** An order is bought as a whole, so that its price is the planned one: it was placed if all of its captures are held. */
function leaveOutOrdered(order: OrderPlan, held: readonly HeldCapture[]): OrderPlan {
  const found = order.buy.flatMap((capture) => held.find((other) => isSameCapture(other, capture) && isLicensed(other, order.licence)) ?? []) // prettier-ignore
  if (found.length === 0) return order
  if (found.length < order.buy.length)
    throw new CommandFailure(
      'money',
      `Some scenes of "${order.name}" were ordered since the plan was made: plan again.`,
    )
  const placed = found.map(({ id, order_id, status }) => ({ id, order_id, status }))
  return { ...order, held: [...order.held, ...placed], buy: [], lines: [], total_credits: 0 }
}

/**
 * Compares the price with the planned one, and checks the order; returns what it is placed with. It names no lock: two programs that
 * apply one plan at once send the same, with the same key, and get one order.
 */
async function checkOrder(client: Client, { name, buy, licence, projectId, total_credits }: OrderPlan) {
  const priced = toPriceRequest(buy, licence)
  const estimate = await client.call<PricedCaptures>('orders.archive.estimate', priced)
  if (estimate.total_credits !== total_credits)
    throw new CommandFailure('money', `"${name}" was planned at ${formatCredits(total_credits)} and costs ${formatCredits(estimate.total_credits)} now; it was not bought. Plan again.`) // prettier-ignore
  requireAcceptedLicences(estimate)
  const purchase = { ...priced, max_credits: total_credits, ...(projectId === null ? {} : { projectId }) }
  await client.call('orders.archive.place', { ...purchase, dry_run: true })
  return purchase
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
