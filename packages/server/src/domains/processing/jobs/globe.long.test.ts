import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { createCrsFromEpsg, openRasterFile } from '@swath/raster'
import { writePlacedScene } from '@swath/raster/test/placed-scene.ts'
import { storeFileAsset } from '../../../../test/rasters.ts'
import { createQueuedOrganization } from '../../../../test/task-runner.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { newId } from '../../../platform/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { grantCredits } from '../../ledger/ledger.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { checkRasterBeforeConversion } from '../../uploads/convert-raster.ts'

let services: TestServices
let org: Awaited<ReturnType<typeof createQueuedOrganization>>
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'globe-'))
  services = await openTestServices()
  org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) =>
    grantCredits(tx, org.owner, { kind: 'purchase', amount_credits: 10_000, reference }),
  )
})
after(async () => {
  await services?.close()
  await rm(folder, { recursive: true })
})

async function deliver(name: string, epsg: number, affine: readonly number[], size: readonly [number, number]) {
  const crs = await createCrsFromEpsg(epsg)
  const raster = await writePlacedScene(folder, name, {
    crs,
    affine: affine as never,
    width: size[0],
    height: size[1],
  })
  await raster.source.close()
  const asset = await storeFileAsset(services.blobs, join(folder, `${name}.tif`), [])
  return (await deliverItem(org.owner, org.project, { assets: [asset] })).item_id
}

async function complete(process_id: string, inputs: object) {
  const { job } = await org.invoke<{ job: Job }>('processing.execute', {
    process_id,
    workspaceId: org.project,
    inputs,
  })
  await org.runner.runPending()
  const ended = (await org.invoke<{ job: Job }>('processing.job.get', { job_id: job.id })).job
  assert.equal(ended.status, 'completed', JSON.stringify(ended.failure))
  const log = await org.owner.db.query<{ level: string; message: string }>(sql`
    select level, message from processing_job_log
    where organization_id = ${org.organization} and job_id = ${job.id} order by id`)
  const [asset] = await findAssetsOfItem(org.owner.db, org.organization, ended.item_ids[0]!)
  const raster = await openRasterFile(services.blobs.localPath(asset!.blob_path!)!)
  await raster.source.close()
  const { item } = await org.invoke<{ item: Item }>('items.get', { item_id: ended.item_ids[0]! })
  return { raster, item, warnings: log.filter(({ level }) => level === 'warning').map(({ message }) => message) }
}

test('a map of the world is cut where its projection ends, and the log of the job says so', async () => {
  const world = await deliver('world', 4326, [-180, 5.625, 0, 90, 0, -4], [64, 45])
  const { raster, warnings } = await complete('reproject', { item: world, epsg: 3857 })
  assert.ok(raster.height < 100 && raster.affine[3] < 20_037_509)
  assert.deepEqual(warnings, [
    'The result holds only the part of the image between the latitudes of ±85.0511 degrees, where the Mercator map ends.',
  ])
  const antarctic = await complete('reproject', { item: world, epsg: 3031 })
  assert.match(antarctic.warnings.join(), /only the part of the image in the area of use of EPSG:3031/)
  const whole = await complete('reproject', { item: world, epsg: 6933 })
  assert.deepEqual(whole.warnings, [])
})

test('an image around a pole is reprojected whole, and its footprint reaches the pole', async () => {
  const north = await deliver('north', 3413, [-1e6, 20_000, 0, 1e6, 0, -20_000], [100, 100])
  const { raster, item } = await complete('reproject', { item: north, epsg: 4326 })
  assert.deepEqual([raster.width, raster.height, raster.affine[3]], [141, 5, 90])
  const ring = (item.geometry as unknown as { coordinates: [number, number][][] }).coordinates[0]!
  assert.deepEqual([Math.min(...ring.map(([x]) => x)), Math.max(...ring.map(([, y]) => y))], [-180, 90])
  const refused = await org
    .invoke('processing.execute', {
      process_id: 'reproject',
      workspaceId: org.project,
      inputs: { item: north, epsg: 3031 },
    })
    .then(
      () => null,
      (error: Error) => error.message,
    )
  assert.match(refused ?? '', /No part of the image lies in the area of use of EPSG:3031/)
})

test('a grid half a pixel over the poles has values at its seam and its poles', async () => {
  const era5 = await deliver('era5', 4326, [-180.125, 0.25, 0, 90.125, 0, -0.25], [1440, 721])
  const at = async (lon: number, lat: number): Promise<unknown> => {
    const { values } = await org.invoke<{ values: unknown }>('items.tile.point', { item_id: era5, lon, lat })
    return values
  }
  const expected = (column: number, row: number): number => (row * 1440 + column) % 251
  for (const [lon, lat, value] of [
    [0, 0, expected(720, 360)],
    [180, 10, expected(0, 320)],
    [0, -90, expected(720, 720)],
    [0, 90, expected(720, 0)],
  ] as const)
    assert.match(JSON.stringify(await at(lon, lat)), new RegExp(`\\b${value}\\b`), `${lon} ${lat}`)
})

test('slopes are those on the ground unless those of the projection are asked for', async () => {
  const plane = await deliver('plane', 3857, [1e6, 20, 0, 8.4e6, 0, -20], [40, 40])
  const [local, projected] = [
    await complete('slope', { item: plane }),
    await complete('slope', { item: plane, scale: 'projected' }),
  ]
  const meanOf = async ({ raster }: typeof local): Promise<number> => raster.bands[0]!.statistics!.mean
  assert.ok((await meanOf(local)) > (await meanOf(projected)))
})

test('a raster whose latitudes are none is refused in words', async () => {
  const crs = await createCrsFromEpsg(4326)
  const raster = await writePlacedScene(folder, 'metres', {
    crs,
    affine: [500_000, 10, 0, 5_000_000, 0, -10],
    width: 8,
    height: 8,
  })
  assert.throws(
    () => checkRasterBeforeConversion(raster, 1000),
    /^\w+: The raster reaches a latitude of 5000000 degrees: its coordinates are not those of its coordinate reference system\./,
  )
  await raster.source.close()
  assert.ok((await readFile(join(folder, 'metres.tif'))).length > 0)
})
