import type { Client } from '@swath/client/client.ts'

/** Values of parameters by the beginning of the path; those of `/` everywhere else. `body` has those of members of the body. */
export type PathValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const tile_zoom = 13
const day_ms = 86_400_000

/** The tile of the web's grid with the middle of a box in degrees. */
export function findTile([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Record<
  'z' | 'x' | 'y',
  number
> {
  const count = 2 ** tile_zoom
  const latitude = ((south + north) / 2) * (Math.PI / 180)
  const x = Math.floor(((west + east) / 2 / 360 + 0.5) * count)
  const y = Math.floor((0.5 - Math.log(Math.tan(Math.PI / 4 + latitude / 2)) / (2 * Math.PI)) * count)
  return { z: tile_zoom, x, y }
}

/** The signed address of a file of the server itself: its path, and the parameters of the signature. */
function splitSigned(url: string, prefix: string): Record<string, string> {
  const { pathname, searchParams } = new URL(url)
  return { path: decodeURIComponent(pathname.slice(prefix.length)), ...Object.fromEntries(searchParams) }
}

/** Creates what the routes besides the operations name in their paths, and returns the values for the documents of interfaces. */
export async function seedInterfaces(
  client: Client,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): Promise<PathValues> {
  const call = <T = { readonly id: string }>(operation: string, input: object = {}): Promise<T> =>
    client.call<T>(operation, input as Record<string, unknown>)
  const { project_id, item_id, asset_id } = values as Record<string, string>
  const { content: products } = await call<{ content: { id: string; name: string }[] }>('glossary.data_products.list')
  const tasking = products.find(({ name }) => name.startsWith('constellation:'))
  const [product] = products
  if (!tasking || !product) throw new Error('the server offers no product, or none that is acquired')
  const west = 10
  const south = 50
  const edge = 0.1
  const ring = [[west, south], [west + edge, south], [west + edge, south + edge], [west, south + edge], [west, south]] // prettier-ignore
  const geometry = { type: 'Polygon', coordinates: [ring] }
  const begin = Date.now() + day_ms
  const datetime = [begin, begin + 10 * day_ms].map((time) => new Date(time).toISOString()).join('/')
  const groups = [{ geometry, dataProduct: tasking.name }]
  const { id: order_id } = await call('orders.tasking.place', { workspaceId: project_id, groups })
  const run = { process_id: 'format-conversion', workspaceId: project_id, inputs: { item: item_id, title: 'Seed' } }
  const { job } = await call<{ job: { id: string } }>('processing.execute', run)
  const { token: scim_token } = await call<{ token: string }>('organizations.scim_tokens.create', { name: 'Seed' })
  const webhook = { workspace_id: project_id, name: 'Seed', url: 'https://1.1.1.1/orders', events: ['order.status'] }
  const { url } = await call<{ url: string }>('items.asset.download', { item_id, asset_id })
  const everywhere = {
    ...(values as Record<string, string | number>),
    id: item_id!,
    product_id: tasking.id,
    data_product_id: product.id,
    process_id: 'format-conversion',
    job_id: job.id,
    workspace_id: project_id!,
    webhook_id: (await call('webhooks.create', webhook)).id,
    bundle_id: item_id!,
    budget_id: project_id!,
    collection_name: 'sentinel-2-l2a',
  }
  return {
    '/': everywhere,
    '/stapi': { ...everywhere, order_id, body: { geometry, datetime } },
    '/blobs': splitSigned(url, '/blobs/'),
    '/scim': { path: 'Users', scim_token },
  }
}
