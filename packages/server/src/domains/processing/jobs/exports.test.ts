import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { decodePng, storeFileAsset } from '../../../../test/rasters.ts'
import { callOperation } from '../../../../test/payment-fixtures.ts'
import { createQueuedOrganization } from '../../../../test/task-runner.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../../test/test-services.ts'
import type { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import type { AssetRow } from '../../items/assets/store.assets.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { findItem } from '../../items/store.ts'
import { grantCredits } from '../../ledger/ledger.ts'

const rasters = join(import.meta.dirname, '../../../../../../fixtures/rasters')

let services: TestServices
let org: Awaited<ReturnType<typeof createQueuedOrganization>>
let heights: string
before(async () => {
  services = await openTestServices()
  org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) =>
    grantCredits(tx, org.owner, { kind: 'purchase', amount_credits: 1000, reference }),
  )
  heights = await deliver('scenes/elevation-stormlake.tif')
})
after(() => services?.close())

async function deliver(file: string): Promise<string> {
  const asset = await storeFileAsset(services.blobs, join(rasters, file), [])
  return (await deliverItem(org.owner, org.project, { assets: [asset] })).item_id
}

async function convert(inputs: object): Promise<{ readonly job: Job; readonly assets: AssetRow[] }> {
  const request = { process_id: 'format-conversion', workspaceId: org.project, inputs }
  const { job: created } = await org.invoke<{ job: Job }>('processing.execute', request)
  await org.runner.runPending()
  const { job } = await org.invoke<{ job: Job }>('processing.job.get', { job_id: created.id })
  assert.deepEqual([job.status, job.settlement], ['completed', 'captured'], JSON.stringify(job.failure))
  return { job, assets: await findAssetsOfItem(org.owner.db, org.organization, job.item_ids[0]!) }
}

const bytesOf = async ({ blob_path, file_size_bytes }: AssetRow): Promise<Buffer> =>
  Buffer.from(await services.blobs.read(blob_path!, 0, file_size_bytes!))

const assetOf = (assets: readonly AssetRow[], key: string): AssetRow => assets.find((asset) => asset.key === key)!

test('a raster becomes a PNG with the requested range and a world file', async () => {
  const { job, assets } = await convert({ item: heights, format: 'png', lowest: 350, highest: 450 })
  assert.deepEqual(assets.map(({ key, media_type }) => [key, media_type]).toSorted(), [
    ['data', 'image/png'],
    ['world_file', 'text/plain'],
  ])
  const data = assetOf(assets, 'data')
  const bytes = await bytesOf(data)
  const png = decodePng(bytes)
  assert.deepEqual([png.width, png.height, png.channels], [143, 107, 2])
  assert.equal(createHash('sha256').update(bytes).digest('hex'), data.checksum_sha256)
  assert.deepEqual(
    (await bytesOf(assetOf(assets, 'world_file'))).toString().split('\n').map(Number).slice(0, 4),
    [30, 0, 0, -30],
  )
  const item = (await findItem(org.owner.db, org.organization, job.item_ids[0]!))!
  assert.deepEqual([item.name.endsWith('PNG'), item.geometry?.type], [true, 'Polygon'])
})

test('a raster becomes a Zarr store in one ZIP file, whose bytes are the same each time', async () => {
  const [first, second] = [
    await convert({ item: heights, format: 'zarr' }),
    await convert({ item: heights, format: 'zarr', title: 'Again' }),
  ]
  assert.notEqual(first.job.id, second.job.id)
  const data = assetOf(first.assets, 'data')
  assert.deepEqual([data.media_type, data.raster], ['application/vnd.zarr+zip', null])
  const bytes = await bytesOf(data)
  for (const name of ['zarr.json', 'data/zarr.json', 'data/c/0/0/0', 'x/c/0']) assert.ok(bytes.includes(name), name)
  assert.equal(data.checksum_sha256, assetOf(second.assets, 'data').checksum_sha256)
})

test('JPEG 2000 becomes a cloud-optimized GeoTIFF', async () => {
  const { assets } = await convert({ item: await deliver('jpeg2000/u16-gml-degrees.jp2') })
  const data = assetOf(assets, 'data')
  assert.match(data.media_type, /cloud-optimized/)
  assert.ok(data.raster!.width > 0)
})

test('inputs of another format, and fractions without a range, are refused', async () => {
  for (const [inputs, path] of [
    [{ compression: 'zstd', format: 'png' }, 'compression'],
    [{ lowest: 1, highest: 2 }, 'lowest'],
    [{ format: 'png', lowest: 1 }, 'highest'],
    [{ format: 'png', lowest: 3, highest: 3 }, 'highest'],
    [{ format: 'png', bands: ['1', '1'] }, 'bands'],
    [{ format: 'png', bands: ['none'] }, 'bands.0'],
    [{ format: 'png' }, null],
  ] as const) {
    const request = { process_id: 'format-conversion', workspaceId: org.project, inputs: { item: heights, ...inputs } }
    await assert.rejects(org.invoke('processing.execute', request), (error: Problem) => {
      assert.equal(error.problem, 'validation')
      if (path !== null) assert.ok(JSON.stringify(error.extra).includes(`inputs.${path}`), JSON.stringify(error.extra))
      return true
    })
  }
})

test('a Zarr store is refused to an organization without that feature, and other formats are not', async () => {
  const flag = { flag: 'zarr_conversion', organization_id: org.organization, reason: 'It is tried.' }
  await callOperation(org.owner, 'admin.feature_flags.set', { ...flag, enabled: false })
  const execute = (format: string) =>
    org.invoke('processing.execute', {
      process_id: 'format-conversion',
      workspaceId: org.project,
      inputs: { item: heights, format },
    })
  await assert.rejects(execute('zarr'), (error: Problem) => {
    assert.equal(error.problem, 'validation')
    assert.match(error.message, /^(inputs\.)?format: asks for a feature/)
    return true
  })
  await execute('cog')
  await callOperation(org.owner, 'admin.feature_flags.set', { ...flag, enabled: null })
  await execute('zarr')
})
