import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { CogInput } from '@swath/raster'
import { decodePng, sceneBands, sceneInput, storeRasterAsset } from '../../../test/rasters.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../test/test-services.ts'
import { requireItem } from '../items/access.ts'
import type { ItemRow } from '../items/store.ts'
import { renderCollectionTile, type CollectionTileRequest } from './collection-tile.ts'

// Sentinel-2 before and after baseline 04.00: the same reflectances, whose numbers differ by 1000.

const added = 1000
const tile = findTileAt(10.45, 50.52, 13)
let services: TestServices
let org: Awaited<ReturnType<TestServices['createOrganization']>>
let items: ItemRow[]
before(async () => {
  services = await openTestServices()
  org = await services.createOrganization()
  items = [await deliverScene(0), await deliverScene(added)]
})
after(() => services?.close())

/** Delivers the test scene as reflectances from 0.01 to 0.4; `raised` is added to the samples that have data. */
async function deliverScene(raised: number): Promise<ItemRow> {
  const { readRows } = sceneInput
  const input: CogInput = {
    ...sceneInput,
    bands: sceneInput.bands.map((band) => ({ ...band, scale: 1e-4, offset: -raised * 1e-4 })),
    readRows: async (top: number, rows: number) => {
      const read = await readRows(top, rows)
      for (let at = 0; at < read.data.length; at++) if (read.data[at] !== 0) read.data[at]! += raised
      return read
    },
  }
  const asset = await storeRasterAsset(services.blobs, input, sceneBands)
  const { item_id } = await deliverItem(org.owner, org.project, { assets: [asset] })
  return requireItem(org.owner, item_id, 'read')
}

async function renderPixels(shown: readonly ItemRow[], more: Partial<CollectionTileRequest> = {}): Promise<Uint8Array> {
  const request: CollectionTileRequest = { ...tile, format: 'png', quality: 75, ...more }
  const { body } = await renderCollectionTile(org.owner, shown, request)
  return decodePng(body).data
}

for (const more of [{}, { profile: 'ndvi' }, { profile: 'true-color' }, { default_stretch: 'linear' }] as const)
  test(`items whose numbers differ and whose values are equal have the same colours: ${JSON.stringify(more)}`, async () => {
    const [earlier, later] = [await renderPixels([items[0]!], more), await renderPixels([items[1]!], more)]
    assert.ok(new Set(earlier).size > 20, 'an image')
    assert.deepEqual(Buffer.compare(earlier, later), 0)
    assert.deepEqual(Buffer.compare(await renderPixels(items.toReversed(), more), earlier), 0)
  })
