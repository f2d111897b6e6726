import { Command } from 'commander'
import type { Client } from '@swath/client/client.ts'
import { readSearchArea, type AreaOptions, type SearchArea } from '../catalog/area.ts'
import type { PricedScene } from '../catalog/scenes.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { openInBrowser } from '../login/open-in-browser.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'

interface SearchOptions extends AreaOptions, ConnectionOptions, OutputOptions {
  readonly from?: string
  readonly to?: string
  readonly cloud?: string
  readonly host?: string[]
  readonly collection?: string[]
  readonly limit: string
  readonly open?: boolean
}

interface FoundScenes {
  readonly features: readonly PricedScene[]
  readonly sources: readonly { readonly title: string; readonly error: string | null }[]
  readonly next?: string
}

const columns = ['id', 'host', 'collection', 'datetime', 'cloudCoverage', 'resolution', 'credits']
const collect = (text: string, previous: string[] = []): string[] => [...previous, text]

/** `swath search [place]`: scenes of all hosts, with their prices. */
export function registerSearch(command: Command, context: CommandContext): void {
  command
    .argument('[place]', 'the name of a place, such as Bolzano, or a position')
    .option('--area <geojson|@file>', 'an area as GeoJSON')
    .option('--bbox <w,s,e,n>', 'a box: west,south,east,north in degrees')
    .option('--from <date>', 'acquired on this day or later')
    .option('--to <date>', 'acquired on this day or earlier')
    .option('--cloud <percent>', 'at most this much cloud')
    .option('--host <id>', 'only this host; may be repeated (swath catalog sources list)', collect)
    .option('--collection <id>', 'only this collection; may be repeated', collect)
    .option('--limit <count>', 'at most so many scenes', '20')
    .option('--open', 'open the console there')
    .addHelpText('after', '\nExamples:\n  $ swath search Bolzano --from 2022-01-01 --cloud 20\n  $ swath search --area @fields.geojson --json | swath price -') // prettier-ignore
  addConnectionOptions(addOutputOptions(command))
  command.action((place: string | undefined) => search(context, place, command.opts<SearchOptions>()))
}

async function search(context: CommandContext, place: string | undefined, options: SearchOptions): Promise<void> {
  await withConnection(context, options, async ({ client, connection }) => {
    const area = await readSearchArea(context, client, place, options)
    const found = await searchScenes(client, area, options)
    const failed = found.sources.filter(({ error }) => error !== null)
    for (const { title, error } of failed) writeMessage(context, `${title} did not answer: ${error}`)
    const withCredits = found.features.map((scene) => ({ ...scene, properties: { ...scene.properties, credits: scene['service:price']?.credits ?? null } })) // prettier-ignore
    await writeOutput(context, options, { ...found, features: withCredits }, columns)
    if (options.open) await openInBrowser(toConsoleUrl(connection.address, area, options))
    if (found.features.length === 0) throw new CommandFailure('notFound', 'No scene was found: search a larger area, other dates, or more cloud.') // prettier-ignore
  })
}

/** Searches all hosts for scenes that fit the options. */
export function searchScenes(
  client: Client,
  area: SearchArea | null,
  {
    from,
    to,
    cloud,
    host,
    collection,
    limit,
  }: Pick<SearchOptions, 'from' | 'to' | 'cloud' | 'host' | 'collection' | 'limit'>,
): Promise<FoundScenes> {
  const max_cloud = cloud === undefined ? null : Number(cloud)
  if (max_cloud !== null && !(max_cloud >= 0 && max_cloud <= 100)) throw usageFailure('--cloud must be a percentage, 0 to 100.') // prettier-ignore
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1) throw usageFailure('--limit must be a positive integer.')
  return client.call<FoundScenes>('catalog.federated_search', {
    ...area,
    limit: count,
    ...(from || to ? { datetime: `${from ?? '..'}/${to ?? '..'}` } : {}),
    ...(host ? { source_ids: host } : {}),
    ...(collection ? { collections: collection } : {}),
    ...(max_cloud === null ? {} : { query: { 'eo:cloud_cover': { lte: max_cloud } } }),
  })
}

const default_zoom = 10

/** The screen of the console that shows the same. */
function toConsoleUrl(address: string, area: SearchArea | null, { from, to, cloud }: SearchOptions): string {
  const query = new URLSearchParams({ ...(from ? { from } : {}), ...(to ? { to } : {}), ...(cloud ? { cloud } : {}) })
  const center = area && centerOf(area)
  if (center) query.set('v', `${center[0].toFixed(5)},${center[1].toFixed(5)},${default_zoom}`)
  return `${address}/explore?${query.toString().replaceAll('%2C', ',')}`
}

function centerOf(area: SearchArea): [number, number] {
  if ('bbox' in area) return [(area.bbox[0] + area.bbox[2]) / 2, (area.bbox[1] + area.bbox[3]) / 2]
  const numbers = (area.intersects.coordinates as unknown[]).flat(4) as number[]
  const axis = (offset: number): number[] => numbers.filter((_value, index) => index % 2 === offset)
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2
  return [middle(axis(0)), middle(axis(1))]
}
