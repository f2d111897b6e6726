import { Command } from 'commander'
import { readSearchArea } from '../catalog/area.ts'
import { formatCredits, priceColumns, type PricedCaptures } from '../catalog/prices.ts'
import { readCaptures } from '../catalog/scenes.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import {
  addConnectionOptions,
  withConnection,
  type ConnectionOptions,
  type OpenConnection,
} from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'

export interface CaptureOptions {
  readonly host?: string
  readonly area?: string
  readonly licence?: string
  readonly excludeOwned?: boolean
}

/** Declares the arguments and options that say which scenes are meant. */
export const addCaptureOptions = (command: Command): Command =>
  command
    .argument(
      '[scenes...]',
      'ids of scenes; or a file (- for the standard input) with what swath search --json printed',
    )
    .option('--host <id>', 'the host of the scenes, if several offer them')
    .option('--area <geojson|@file>', 'only this area of them (default: whole scenes)')
    .option('--licence <name>', 'a licence that the scenes are offered under (default: the standard licence)')
    .option('--exclude-owned', 'leave out the area that you hold already')

/** `swath price`: what scenes would cost. */
export function registerPrice(command: Command, context: CommandContext): void {
  addCaptureOptions(command)
    .option('--lock', 'lock the price for a while and print its quote, for swath buy --quote')
    .addHelpText('after', '\nExample:\n  $ swath price naip-va-17n --area @field.geojson')
  addConnectionOptions(addOutputOptions(command))
  command.action(async (scenes: string[]) => {
    const options = command.opts<CaptureOptions & ConnectionOptions & OutputOptions & { lock?: boolean }>()
    await withConnection(context, options, async (open) => {
      const operation = options.lock ? 'orders.quote' : 'orders.archive.estimate'
      const priced = await open.client.call<PricedCaptures>(operation, await toPriceInput(context, open, scenes, options)) // prettier-ignore
      await writePrices(context, options, priced)
    })
  })
}

/** The input of an estimate or a quote. */
export async function toPriceInput(
  context: CommandContext,
  { client }: OpenConnection,
  scenes: readonly string[],
  options: CaptureOptions,
): Promise<Record<string, unknown>> {
  const found = await readSearchArea(context, client, undefined, options.area === undefined ? {} : { area: options.area }) // prettier-ignore
  if (found !== null && !('intersects' in found)) throw usageFailure('--area must be GeoJSON.')
  const captures = await readCaptures(context, client, scenes, {
    ...(options.host === undefined ? {} : { host: options.host }),
    area: found?.intersects ?? null,
  })
  return {
    captures,
    ...(options.licence === undefined ? {} : { licenseType: options.licence }),
    ...(options.excludeOwned ? { exclude_owned: true } : {}),
  }
}

/** Writes the lines of a price, and the total for people. */
export async function writePrices(
  context: CommandContext,
  options: OutputOptions,
  priced: PricedCaptures,
): Promise<void> {
  // prettier-ignore
  const isTable = options.table || (context.stdout.isTTY && !options.json && options.query === undefined)
  await writeOutput(context, options, isTable ? { lines: priced.lines ?? [] } : priced, priceColumns)
  writeMessage(context, `Total: ${formatCredits(priced.total_credits)}`)
  if (priced.quote_id) writeMessage(context, `Locked until ${priced.expires_at}: swath buy --quote ${priced.quote_id}`)
}
