import { everyScope } from '@swath/client/every-scope.ts'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from '@swath/client/client.ts'
import {
  describeFailure,
  findServerDataFolder,
  createSignedInClient,
  readServerConnection,
  readFirstCredentials,
  type ServerConnection,
} from '../../packages/cli/src/connection.ts'

/** The parts of the responses that the tour reads. */
interface TourScene {
  readonly id: string
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
  readonly properties: Readonly<Record<string, unknown>>
  readonly 'service:price': { readonly credits: number }
}
interface PlacedOrder {
  readonly id: string
  readonly status: string
  readonly totalCredits: number
}
interface ManifestAsset {
  readonly id: string
  readonly ready: boolean
  readonly href: string
}
interface Manifest {
  readonly features: readonly { readonly item_id: string; readonly assets: Readonly<Record<string, ManifestAsset>> }[]
}
interface StacAsset {
  readonly 'file:checksum'?: string
  readonly 'file:size'?: number
  readonly 'eo:bands'?: readonly { readonly name: string; readonly common_name?: string }[]
}
interface TileJson {
  readonly bounds: readonly [number, number, number, number]
  readonly minzoom: number
}

const finalStatuses = new Set(['FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'])

/** Prints the result and the duration of a step. */
async function step<T>(name: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> {
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
  const client = createSignedInClient(connection)
  await step(
    'connect',
    () => client.call<{ organization: { name: string } | null }>('users.me'),
    ({ organization }) => organization?.name ?? 'no organization',
  )
  const bolzano = await search(client, 'open', (scene) => /bolzano/i.test(JSON.stringify(scene.properties) + scene.id))
  const naip = await search(client, 'commercial', (scene) => scene['service:price'].credits > 0)
  await order(client, { name: 'bolzano', host: 'open', scene: bolzano, out })
  await order(client, { name: 'naip', host: 'commercial', scene: naip, out })
  const balance = await client.call<{ available_credits: number; held_credits: number }>('billing.credits.balance')
  console.log(`\nLeft in the wallet: ${balance.available_credits} credits, ${balance.held_credits} held.`)
}

async function search(client: Client, host: string, isWanted: (scene: TourScene) => boolean): Promise<TourScene> {
  return step(
    `search ${host}`,
    async () => {
      const { features } = await client.call<{ features: TourScene[] }>('catalog.search', {
        host_name: host,
        limit: 500,
      })
      const scene = features.find(isWanted)
      if (!scene) throw new Error(`the host ${host} has no scene for the tour`)
      return scene
    },
    (scene) => `${scene.id}, ${scene['service:price'].credits} credits`,
  )
}

/** Estimates, orders, waits for, downloads, verifies and renders one scene. */
async function order(
  client: Client,
  {
    name,
    host,
    scene,
    out,
  }: { readonly name: string; readonly host: string; readonly scene: TourScene; readonly out: string },
): Promise<void> {
  const captures = [{ id: scene.id, geometry: scene.geometry, host }]
  const estimate = await step(
    `estimate ${name}`,
    () => client.call<{ total_credits: number }>('orders.archive.estimate', { captures }),
    ({ total_credits }) => `${total_credits} credits`,
  )
  const key = `tour-${createHash('sha256').update(`${scene.id}${performance.timeOrigin}`).digest('hex').slice(0, 24)}`
  const placed = await step(
    `place ${name}`,
    () => client.call<PlacedOrder>('orders.archive.place', { captures }, { idempotencyKey: key }),
    (answer) => `order ${answer.id}, ${answer.status}, ${answer.totalCredits} credits held`,
  )
  if (placed.totalCredits !== estimate.total_credits)
    throw new Error('the price of the order differs from the estimate')
  await step(
    `wait for ${name}`,
    () => waitForDelivery(client, placed.id),
    (status) => status,
  )
  const manifest = await client.call<Manifest>('orders.list_assets', { order_id: placed.id })
  for (const feature of manifest.features) await downloadAssets(client, name, feature, out)
}

async function waitForDelivery(client: Client, order_id: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const { status, failureReason } = await client.call<{ status: string; failureReason: unknown }>('orders.get', {
      order_id,
    })
    if (status === 'FULFILLED') return status
    if (finalStatuses.has(status)) throw new Error(`the order ended as ${status}: ${JSON.stringify(failureReason)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the order was not delivered within two minutes')
}

async function downloadAssets(
  client: Client,
  name: string,
  feature: Manifest['features'][number],
  out: string,
): Promise<void> {
  const { item_id } = feature
  const stac = await client.call<{ assets: Record<string, StacAsset> }>('items.get_stac', { item_id })
  for (const [key, asset] of Object.entries(feature.assets)) {
    if (!asset.ready) throw new Error(`the asset ${key} is not ready`)
    const file = join(out, `${name}-${key}.${key === 'thumbnail' ? 'jpg' : 'tif'}`)
    await step(
      `download ${name} ${key}`,
      () => download(client, { item_id, asset, stacAsset: stac.assets[key] ?? {}, file }),
      (size) => `${size} bytes, checksum verified, ${file}`,
    )
  }
  const tile = await findFullestTile(client, item_id)
  const ndvi = createNdviExpression(stac.assets['data']?.['eo:bands'] ?? [])
  const tileStyles = [
    ['true-colour', {}],
    ['ndvi', { expression: ndvi, rescale: '-0.2,0.9', colormap: 'rdylgn' }],
  ] as const
  for (const [styleName, styleParameters] of tileStyles) {
    const file = join(out, `${name}-${styleName}.png`)
    await step(
      `tile ${name} ${styleName}`,
      async () => {
        const bytes = await client.bytes('items.tile.render', {
          item_id,
          ...tile,
          format: 'png',
          scale: 2,
          ...styleParameters,
        })
        await writeFile(file, bytes)
        return bytes.length
      },
      (size) => `${tile.z}/${tile.x}/${tile.y}, ${size} bytes, ${file}`,
    )
  }
}

/** Downloads a file by its signed URL and verifies `file:checksum`. */
async function download(
  client: Client,
  {
    item_id,
    asset,
    stacAsset,
    file,
  }: { readonly item_id: string; readonly asset: ManifestAsset; readonly stacAsset: StacAsset; readonly file: string },
): Promise<number> {
  const { url } = await client.call<{ url: string }>('items.asset.download', { item_id, asset_id: asset.id })
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the signed URL returned ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const checksum = `1220${createHash('sha256').update(bytes).digest('hex')}`
  if (checksum !== stacAsset['file:checksum'])
    throw new Error(`${file} has the checksum ${checksum}, not ${stacAsset['file:checksum']}`)
  if (bytes.length !== stacAsset['file:size'])
    throw new Error(`${file} has ${bytes.length} bytes, not ${stacAsset['file:size']}`)
  await writeFile(file, bytes)
  return bytes.length
}

interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The tile that shows most of an item, at the zoom at which the item is about as large as a tile. */
async function findFullestTile(client: Client, item_id: string): Promise<Tile> {
  const { bounds, minzoom: z } = await client.call<TileJson>('items.tile.tilejson', { item_id })
  const [west, south, east, north] = bounds
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

function createNdviExpression(bands: readonly { name: string; common_name?: string }[]): string {
  const at = (name: string): string => `b${bands.findIndex((band) => band.common_name === name) + 1}`
  return `(${at('nir')}-${at('red')})/(${at('nir')}+${at('red')})`
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
