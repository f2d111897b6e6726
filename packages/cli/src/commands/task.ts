import { Command } from 'commander'
import { readSearchArea, type AreaOptions } from '../catalog/area.ts'
import { formatCredits, type PricedCaptures } from '../catalog/prices.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { requireConsent } from '../operations/confirm-effect.ts'
import { createIdempotencyKey } from '../operations/random-values.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { readCredits } from './buy.ts'

interface TaskOptions extends AreaOptions, ConnectionOptions, OutputOptions {
  readonly product?: string
  readonly from?: string
  readonly to?: string
  readonly name?: string
  readonly project?: string
  readonly maxCredits?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `swath task`: has a satellite acquire an area, at a locked price. */
export function registerTask(command: Command, context: CommandContext): void {
  command
    .argument('[place]', 'the name of a place; or --area or --bbox')
    .option('--product <id>', 'a data product for new acquisitions (swath glossary data-products list)')
    .option('--area <geojson|@file>', 'the area as GeoJSON')
    .option('--bbox <w,s,e,n>', 'the area as a box in degrees')
    .option('--from <time>', 'the start of the acquisition window')
    .option('--to <time>', 'its end')
    .option('--name <text>', 'the display name of the order')
    .option('--project <id>', 'the project of the delivery (default: your oldest)')
    .option('--max-credits <count>', 'refuse a higher price')
    .option('--dry-run', 'check everything and order nothing')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ swath task Bolzano --product constellation:tasking-10m --from 2030-05-01T00:00:00Z --to 2030-05-08T00:00:00Z') // prettier-ignore
  addConnectionOptions(addOutputOptions(command))
  command.action((place: string | undefined) => task(context, place, command.opts<TaskOptions>()))
}

async function task(context: CommandContext, place: string | undefined, options: TaskOptions): Promise<void> {
  const { product, from, to } = options
  if (!product) throw usageFailure('--product must be given: swath glossary data-products list')
  const max_credits = readCredits(options.maxCredits)
  const idempotencyKey = createIdempotencyKey()
  let agreed_credits: number | null = null
  await withConnection(context, options, async ({ client }) => {
    const area = await readSearchArea(context, client, place, options)
    if (area === null) throw usageFailure('Name an area: a place, --area or --bbox.')
    const geometry = 'intersects' in area ? area.intersects : toPolygon(area.bbox)
    const group = { geometry, dataProduct: product, ...(from ? { acquisitionStart: from } : {}), ...(to ? { acquisitionEnd: to } : {}) } // prettier-ignore
    const { quote_id, total_credits } = await client.call<PricedCaptures>('orders.quote', { groups: [group] })
    if (max_credits !== null && total_credits > max_credits)
      throw new CommandFailure('money', `It costs ${formatCredits(total_credits)}, more than --max-credits ${max_credits}; nothing was ordered.`) // prettier-ignore
    if (!options.dryRun && agreed_credits !== total_credits) {
      await requireConsent(context, options.yes === true, `Order the acquisition for ${formatCredits(total_credits)}?`)
      agreed_credits = total_credits
    }
    const input = {
      quote_id,
      max_credits: total_credits,
      dry_run: options.dryRun === true,
      ...(options.project ? { workspaceId: options.project } : {}),
      ...(options.name ? { displayName: options.name } : {}),
    }
    const order = await client.call<{ id: string }>('orders.tasking.place', input, { idempotencyKey })
    await writeOutput(context, options, order)
    writeMessage(context, options.dryRun ? `Nothing was ordered; it would cost ${formatCredits(total_credits)}.` : `Ordered: swath wait ${order.id}`) // prettier-ignore
  })
}

/** The polygon of a box. */
export const toPolygon = ([west, south, east, north]: readonly [number, number, number, number]) => ({
  type: 'Polygon',
  coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]], // prettier-ignore
})
