import { everyScope } from '@swath/client/every-scope.ts'
import { fileTarget } from '@swath/client/node/index.ts'
import type { CatalogFeature, DeliveryManifest } from '@swath/client/operations.ts'
import { typeStacItem, type StacBand, type TypedStacItem } from '@swath/client/stac/stac-item.ts'
import { createSwathOver, type Swath } from '@swath/client/swath.ts'
import { downloadAsset } from '@swath/client/transfer/download-asset.ts'
import { waitForOrder } from '@swath/client/wait/wait.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  describeFailure,
  findServerDataFolder,
  createSignedInClient,
  readServerConnection,
  readFirstCredentials,
  type ServerConnection,
} from '../../packages/cli/src/connection.ts'

const delivery_timeout_ms = 120_000

/** Prints the result and the duration of a step. */
async function step<T>(name: string, work: () => PromiseLike<T>, describe: (result: T) => string): Promise<T> {
  const start = performance.now()
  const result = await work()
  const took = `${((performance.now() - start) / 1000).toFixed(2)} s`.padStart(8)
  console.log(`${took}  ${name.padEnd(28)} ${describe(result)}`)
  return result
}

/** The server of the options, or else that of the environment or the local one: with a person, because API keys place no orders. */
async function chooseConnection({
  address,
  username,
  password,
}: Partial<Record<string, string>>): Promise<ServerConnection> {
  if (address && username && password)
    return { address, login: { username, password, scope: everyScope }, source: 'options' }
  const connection = await readServerConnection(process.env)
  return connection.source === 'environment' ? connection : readFirstCredentials(findServerDataFolder(process.env))
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join('.data', 'tour') },
      address: { type: 'string' },
      username: { type: 'string' },
      password: { type: 'string' },
    },
  })
  const connection = await chooseConnection(values)
  try {
    await showTour(connection, values.out)
  } catch (error) {
    throw new Error(describeFailure(error, connection), { cause: error })
  }
}

async function showTour(connection: ServerConnection, out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  console.log(`A tour of ${connection.address}; files go to ${out}\n`)
  const swath = createSwathOver(createSignedInClient(connection))
  await step(
    'connect',
    () => swath.users.me(),
    ({ organization }) => organization?.name ?? 'no organization',
  )
  const bolzano = await search(swath, 'open', (scene) => /bolzano/i.test(JSON.stringify(scene.properties) + scene.id))
  const naip = await search(swath, 'commercial', (scene) => creditsOf(scene) > 0)
  await order(swath, { name: 'bolzano', host: 'open', scene: bolzano, out })
  await order(swath, { name: 'naip', host: 'commercial', scene: naip, out })
  const balance = await swath.billing.credits.balance()
  console.log(`\nLeft in the wallet: ${balance.available_credits} credits, ${balance.held_credits} held.`)
}

const creditsOf = ({ 'service:price': price }: CatalogFeature): number => price?.credits ?? 0

async function search(
  swath: Swath,
  host_name: string,
  isWanted: (scene: CatalogFeature) => boolean,
): Promise<CatalogFeature> {
  const findScene = async (): Promise<CatalogFeature> => {
    for await (const scene of swath.catalog.search({ host_name })) if (isWanted(scene)) return scene
    throw new Error(`the host ${host_name} has no scene for the tour`)
  }
  return step(`search ${host_name}`, findScene, (scene) => `${scene.id}, ${creditsOf(scene)} credits`)
}

interface TourOrder {
  readonly name: string
  readonly host: string
  readonly scene: CatalogFeature
  readonly out: string
}

/** Quotes, orders, waits for, downloads, verifies and renders one scene. */
async function order(swath: Swath, { name, host, scene, out }: TourOrder): Promise<void> {
  const captures = [{ id: scene.id, geometry: scene.geometry!, host }]
  const quote = await step(
    `quote ${name}`,
    () => swath.orders.quote({ captures }),
    ({ total_credits }) => `${total_credits} credits, locked`,
  )
  const placed = await step(
    `place ${name}`,
    () => swath.orders.archive.place({}, { price: quote }),
    ({ id, status, totalCredits }) => `order ${id}, ${status}, ${totalCredits} credits held`,
  )
  await step(
    `wait for ${name}`,
    () => waitForOrder(swath.client, placed.id, { timeout_ms: delivery_timeout_ms }),
    ({ status }) => status,
  )
  const { features } = await swath.orders.list_assets({ order_id: placed.id })
  for (const feature of features) {
    const item = typeStacItem(await swath.items.get_stac({ item_id: feature.item_id }))
    for (const key of Object.keys(feature.assets)) await downloadFile(swath, { name, feature, item, key, out })
    await renderTiles(swath, { name, item_id: feature.item_id, item, out })
  }
}

interface DeliveredFile {
  readonly name: string
  readonly feature: DeliveryManifest['features'][number]
  readonly item: TypedStacItem
  readonly key: string
  readonly out: string
}

/** Downloads a file, and compares what arrived with the STAC item. */
async function downloadFile(swath: Swath, { name, feature, item, key, out }: DeliveredFile): Promise<void> {
  const file = join(out, `${name}-${key}.${key === 'thumbnail' ? 'jpg' : 'tif'}`)
  const asset = { item_id: feature.item_id, asset_id: feature.assets[key]!.id }
  const { bytes, sha256 } = await step(
    `download ${name} ${key}`,
    () => downloadAsset(swath.client, asset, fileTarget(file)),
    (download) => `${download.bytes} bytes, checksum verified, ${file}`,
  )
  const { 'file:checksum': checksum, 'file:size': size } = item.assets[key]!
  if (checksum !== `1220${sha256}` || size !== bytes)
    throw new Error(`${file} has ${bytes} bytes and the SHA-256 ${sha256}; its STAC item says ${size} and ${checksum}`)
}

interface DeliveredItem {
  readonly name: string
  readonly item_id: string
  readonly item: TypedStacItem
  readonly out: string
}

async function renderTiles(swath: Swath, { name, item_id, item, out }: DeliveredItem): Promise<void> {
  const tile = await findFullestTile(swath, item_id)
  const bands = item.assets['data']?.['eo:bands'] ?? []
  const styles = {
    'true-colour': {},
    ndvi: { expression: createNdviExpression(bands), rescale: '-0.2,0.9', colormap: 'rdylgn' },
  }
  for (const [style, parameters] of Object.entries(styles)) {
    const file = join(out, `${name}-${style}.png`)
    const render = async (): Promise<number> => {
      const bytes = await swath.items.tile.render({ item_id, ...tile, format: 'png', scale: 2, ...parameters })
      await writeFile(file, bytes)
      return bytes.length
    }
    await step(`tile ${name} ${style}`, render, (size) => `${tile.z}/${tile.x}/${tile.y}, ${size} bytes, ${file}`)
  }
}

/** The tile that shows most of an item, at the zoom at which the item is about as large as a tile. */
async function findFullestTile(swath: Swath, item_id: string): Promise<{ z: number; x: number; y: number }> {
  const { bounds, minzoom: z } = await swath.items.tile.tilejson({ item_id })
  const [west, south, east, north] = bounds as [number, number, number, number]
  const [left, bottom] = gridPosition(west, south, z)
  const [right, top] = gridPosition(east, north, z)
  const findFullest = (from: number, to: number): number => {
    const first = Math.floor(from)
    const shares = Array.from({ length: Math.floor(to) - first + 1 }, (_, index) => {
      const at = first + index
      return { at, share: Math.min(to, at + 1) - Math.max(from, at) }
    })
    return shares.reduce((best, next) => (next.share > best.share ? next : best)).at
  }
  return { z, x: findFullest(left, right), y: findFullest(top, bottom) }
}

/** A position in the tile grid of a zoom level: integers are tile corners. */
function gridPosition(longitude: number, latitude: number, z: number): [x: number, y: number] {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const side = 2 ** z
  return [((longitude + 180) / 360) * side, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side]
}

function createNdviExpression(bands: readonly StacBand[]): string {
  const at = (name: string): string => `b${bands.findIndex((band) => band.common_name === name) + 1}`
  return `(${at('nir')}-${at('red')})/(${at('nir')}+${at('red')})`
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
