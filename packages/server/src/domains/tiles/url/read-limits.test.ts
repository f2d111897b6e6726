import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RasterFailure, type Raster } from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import type { SafeFetch } from '../../../platform/integrations/integrations.ts'
import { newId } from '../../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { encodeCog, sceneInput, sceneBands, storeRasterAsset } from '../../../../test/rasters.ts'
import { openAssetRaster } from '../asset-source.ts'
import { createRasterReadBudget, rasterReadLimits, type RasterReadPurpose } from '../../items/search/read-limits.ts'
import { findAssetsOfItem, type AssetRow } from '../../items/assets/store.assets.ts'
import { openRasterAtUrl } from './open-raster-url.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let file: Uint8Array
before(async () => {
  app = await openTestServices()
  file = await encodeCog(sceneInput)
})
after(() => app?.close())

/** A server that serves ranges of one file. */
const fetch: SafeFetch = async (url, { headers = {} } = {}) => {
  const [first = 0, last = 0] =
    /(\d+)-(\d+)/
      .exec(headers['range'] ?? '')
      ?.slice(1)
      .map(Number) ?? []
  const end = Math.min(last, file.length - 1)
  const range = `bytes ${first}-${end}/${file.length}`
  return { status: 206, url, headers: { 'content-range': range, etag: '"one"' }, body: file.subarray(first, end + 1) }
}

/** The number of successful reads of a raster before one exceeds the budget. */
async function countReads(raster: Raster, kind: RasterReadPurpose): Promise<number> {
  for (let count = 0; ; count++) {
    try {
      await raster.source.read(0, 16)
    } catch (error) {
      assert.ok(error instanceof RasterFailure && error.kind === 'budget', String(error))
      assert.match(error.message, new RegExp(`more than ${rasterReadLimits[kind].reads} reads for one ${kind}`))
      return count
    }
  }
}

/** A call with S3-like storage, and the same file as an own asset, as an external asset and as a URL. */
async function createSources(): Promise<{ call: Call; stored: AssetRow; elsewhere: AssetRow; url: string }> {
  const { owner, project, organization } = await app.createOrganization()
  const blobs = Object.assign(Object.create(app.blobs) as typeof app.blobs, { localPath: () => null })
  const call: Call = { ...owner, blobs, integrations: { ...owner.integrations, fetch } }
  const { item_id } = await deliverItem(owner, project, {
    assets: [await storeRasterAsset(app.blobs, sceneInput, sceneBands)],
  })
  const [stored] = await findAssetsOfItem(owner.db, organization, item_id)
  assert.ok(stored)
  const url = `https://files.example/${newId()}.tif`
  return { call, stored, elsewhere: { ...stored, blob_path: null, external_href: url }, url }
}

test('a file has the same read limit wherever it is stored, for each kind of work', async () => {
  const { call, stored, elsewhere: external, url } = await createSources()
  for (const kind of ['tile', 'image', 'measurement'] as const) {
    const counts = {
      stored: await countReads(await openAssetRaster(call, stored, createRasterReadBudget(kind)), kind),
      elsewhere: await countReads(await openAssetRaster(call, external, createRasterReadBudget(kind)), kind),
      address: await countReads((await openRasterAtUrl(call, url, kind)).raster, kind),
      own_address: await countReads(
        (await openRasterAtUrl(call, `${call.baseUrl}/api/v1/items/${stored.item_id}/assets/${stored.id}`, kind))
          .raster,
        kind,
      ),
    }
    const { reads } = rasterReadLimits[kind]
    assert.deepEqual(counts, { stored: reads, elsewhere: reads, address: reads, own_address: reads }, kind)
  }
})

test('the files of one tile share one read limit', async () => {
  const { call, stored, elsewhere: external } = await createSources()
  const budget = createRasterReadBudget('tile')
  const [first, second] = [await openAssetRaster(call, stored, budget), await openAssetRaster(call, external, budget)]
  for (let count = 0; count < 30; count++) await first.source.read(0, 16)
  assert.equal(await countReads(second, 'tile'), rasterReadLimits.tile.reads - 30)
  await assert.rejects(first.source.read(0, 16), /reads for one tile/)
})
