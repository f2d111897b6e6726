// Creates two collections on a running server for stac-api-validator, and prints its arguments as lines of `name=value`.
import { openAdminClient } from '../admin-client.ts'

const cloudCovers = [5, 20, 35, 50, 65, 80]

/** A square of one degree, by its south-west corner. */
const square = (west: number, south: number): unknown => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + 1, south],
      [west + 1, south + 1],
      [west, south + 1],
      [west, south],
    ],
  ],
})

/** A STAC item. The validator searches items around 20 degrees east and north. */
const feature = (index: number, cloud: number): Record<string, unknown> => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id: `scene-${index}`,
  geometry: square(20 + index / 10, 20 + index / 10),
  properties: {
    title: `Scene ${index}`,
    datetime: new Date(Date.UTC(2024, index, 1)).toISOString(),
    'eo:cloud_cover': cloud,
    platform: 'sentinel-2a',
    // The validator compares each character of a text with the values of its `in` query.
    pass: 'D',
  },
  assets: { data: { href: `https://files.example/scene-${index}.tif`, type: 'image/tiff', roles: ['data'] } },
  links: [],
})

/** The item that the validator deletes, creates, replaces and updates. */
const transactionItem = { ...feature(11, 0), id: 'S2A_47XNF_20230423_0_L2A' }

async function main(folder: string): Promise<void> {
  const { url, token, client } = await openAdminClient(folder)
  const call = (operation: string, input: Record<string, unknown>): Promise<Record<string, string>> =>
    client.call(operation, input)
  const { id: project_id } = await call('projects.create', { name: 'stac-api-validator' })
  const [read, written] = await Promise.all(
    ['read', 'written'].map((name) => call('collections.create', { project_id, name })),
  )
  const fill = (collection_id: string | undefined, features: unknown[]): Promise<unknown> =>
    call('items.batch_create', { project_id, collection_id, features })
  await fill(
    read?.['id'],
    cloudCovers.map((cloud, index) => feature(index, cloud)),
  )
  await fill(written?.['id'], [transactionItem])
  console.log(`root=${url}/assets/stac`)
  console.log(`token=${await token()}`)
  console.log(`collection=${read?.['id']}`)
  console.log(`transaction_collection=${written?.['id']}`)
}

await main(process.argv[2] ?? '')
