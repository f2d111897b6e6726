import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createMemorySource } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { decodePng } from '../rasters.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { validateStacItem } from '../stac-schemas.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app.close())

interface Scene {
  readonly id: string
  readonly geometry: object
}

async function listScenes(host: string): Promise<Scene[]> {
  const scenes: Scene[] = []
  for await (const scene of org.owner.client.lines<Scene>('catalog.search_stream', { host_name: host }))
    scenes.push(scene)
  return scenes
}

/** The tile at the centre of an item at a zoom level. */
function centerTile([west, south, east, north]: readonly number[], z: number) {
  const sine = Math.sin((((south! + north!) / 2) * Math.PI) / 180)
  return {
    z,
    x: Math.floor((((west! + east!) / 2 + 180) / 360) * 2 ** z),
    y: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z),
  }
}

for (const host of ['open', 'commercial']) {
  test(`every scene of the host ${host} can be ordered, delivered as valid STAC and COG, and rendered`, async () => {
    const { client } = org.owner
    const scenes = await listScenes(host)
    assert.ok(scenes.length >= 4, `${host} has ${scenes.length} scenes`)
    const captures = scenes.map(({ id, geometry }) => ({ id, geometry, host }))
    const { id } = await client.call<{ id: string }>('orders.archive.place', { captures })
    const order = await waitForOrder(client, id, 'FULFILLED')
    assert.equal(order.fulfillment, 'complete')
    assert.equal(order.itemCount, scenes.length)

    const { features } = await client.call('orders.list_assets', { order_id: id })
    assert.equal(features.length, scenes.length)
    for (const { item_id, assets } of features) await checkItem(item_id, Object.values(assets))
  })
}

async function checkItem(item_id: string, assets: readonly { id: string; ready: boolean; roles: readonly string[] }[]) {
  const { client } = org.owner
  const stac = (await client.call('items.get_stac', { item_id })) as StacItem & { stac_extensions: string[] }
  const name = String(stac.properties['title'])
  assert.deepEqual(await validateStacItem(stac), [], name)
  assert.ok(stac.properties['license'] && stac.properties['providers'], `${name} has a license and providers`)
  assert.match(String(stac.properties['license']), /^(proprietary|PDDL-1\.0)$/, name)
  assert.match(stac.links.find((link) => link.rel === 'license')?.href ?? '', /^https:/, name)
  const attribution = String(stac.properties['attribution'])
  assert.equal(
    attribution.includes('Copernicus'),
    /Sentinel|HLS|2a|S30/i.test(String(stac.properties['platform'])),
    name,
  )
  assert.doesNotMatch(attribution, /[{}]/, name)
  for (const asset of assets) {
    assert.ok(asset.ready, name)
    if (asset.roles.includes('data')) await assertValidCog(item_id, asset.id, name)
  }
  const { bounds, minzoom, maxzoom } = await client.call('items.tile.tilejson', { item_id })
  const tile = centerTile(bounds, Math.min(maxzoom, minzoom + 2))
  const png = decodePng(Buffer.from(await client.bytes('items.tile.render', { item_id, ...tile, format: 'png' })))
  assert.ok(hasVisiblePixels(png), `${name} is empty at ${JSON.stringify(tile)}`)
}

async function assertValidCog(item_id: string, asset_id: string, name: string): Promise<void> {
  const { url, size_bytes } = await org.owner.client.call('items.asset.download', { item_id, asset_id })
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
  assert.equal(bytes.length, size_bytes)
  assert.deepEqual((await checkCogLayout(createMemorySource(bytes, name))).problems, [], name)
}

/** Says whether the image has visible pixels of more than a few colours. */
function hasVisiblePixels({ data, channels }: ReturnType<typeof decodePng>): boolean {
  const colours = new Set<number>()
  for (let offset = 0; offset < data.length; offset += channels) {
    if (channels < 4 || data[offset + 3]! > 0)
      colours.add(data[offset]! * 65_536 + data[offset + 1]! * 256 + data[offset + 2]!)
  }
  return colours.size > 8
}
