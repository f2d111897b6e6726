import { Command } from 'commander'
import { formatCredits } from '../catalog/prices.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { createStyle } from '../output/colours.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, writeText, type OutputOptions } from '../output/write-output.ts'
import { makePlan, type PurchasePlan } from '../plan/make-plan.ts'
import { readPlanFile } from '../plan/read-plan.ts'

/** `swath plan`: what a file of orders would buy, as a difference to what is held. */
export function registerPlan(command: Command, context: CommandContext): void {
  command
    .argument('<file>', 'a YAML file of orders')
    .addHelpText(
      'after',
      `\n${planFileHelp}\n\nExample:\n  $ swath plan orders.yaml --out plan.json && swath apply plan.json`,
    )
  addConnectionOptions(addOutputOptions(command))
  command.action(async (file: string) => {
    const options = command.opts<ConnectionOptions & OutputOptions>()
    await withConnection(context, options, async ({ client }) => {
      const plan = await makePlan(context, client, await readPlanFile(file))
      if (options.out !== undefined) await writeText(context, options.out, `${JSON.stringify(plan, null, 2)}\n`)
      else if (options.json || options.query !== undefined || options.csv)
        await writeOutput(context, options, options.csv ? toRows(plan) : plan) // prettier-ignore
      else context.stdout.write(printPlan(context, plan))
      if (options.out !== undefined) writeMessage(context, printPlan(context, plan))
    })
  })
}

export const planFileHelp = `The file:
  orders:
    - name: field-2016            # unique
      scenes: [naip-va-17n]       # ids of scenes, or:
    - name: bolzano
      search: { place: Bolzano, from: 2022-06-01, to: 2022-06-30, cloud: 20, limit: 3 }
      host: open                  # optional, as: project, licence, and
      area: bolzano.geojson       # the area of the scenes (default: all of them)`

/** One row for each scene. */
const toRows = ({ orders }: PurchasePlan) =>
  orders.flatMap(({ name, held, lines }) => [
    ...held.map(({ id, order_id, status }) => ({ order: name, change: 'held', id, credits: 0, order_id, status })),
    ...lines.map(({ id, credits }) => ({ order: name, change: 'buy', id, credits, order_id: null, status: null })),
  ])

/** The plan as a person reads it: `+` is bought, `=` is held. */
export function printPlan({ env, stdout }: CommandContext, { orders, total_credits }: PurchasePlan): string {
  const style = createStyle(env, stdout)
  const lines = orders.flatMap(({ name, held, lines: priced, total_credits: credits }) => [
    `${style('bold', name)}  ${priced.length === 0 ? 'nothing to buy' : formatCredits(credits)}`,
    ...held.map(({ id, order_id, status }) => style('dim', `  = ${id}  held by order ${order_id} (${status})`)),
    ...priced.map(({ id, host, datetime, credits: price }) => style('green', `  + ${id}  ${host}, ${datetime.slice(0, 10)}, ${price} credits`)), // prettier-ignore
  ])
  const count = orders.reduce((sum, { buy }) => sum + buy.length, 0)
  return `${lines.join('\n')}\n\nTo buy: ${count} ${count === 1 ? 'scene' : 'scenes'} for ${formatCredits(total_credits)}.\n`
}
