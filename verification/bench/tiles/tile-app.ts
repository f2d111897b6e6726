import { link, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename, join } from 'node:path'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { openFileSource, computeRasterFootprint, openRaster } from '@swath/raster'
import { ensureResultCollection } from '../../../packages/server/src/domains/collections/result-collection.ts'
import { addDeliveredItem, type DeliveredAsset } from '../../../packages/server/src/domains/items/deliver.ts'
import { readRasterMetadata } from '../../../packages/server/src/domains/items/assets/read-raster-metadata.ts'
import { createApp, type App } from '../../../packages/server/src/app.ts'
import { openBlobStore } from '../../../packages/server/src/platform/blobs/open-blobs.ts'
import type { BlobStore } from '../../../packages/server/src/platform/blobs/blobs.ts'
import { readConfig } from '../../../packages/server/src/platform/config.ts'
import { loadMasterSecrets } from '../../../packages/server/src/platform/crypto/master-secret.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { readOperationQuotas } from '../../../packages/server/src/platform/quotas.ts'

/**
 * The product with some files as items: the first start stores them (`BENCH_FILES`, a JSON list of paths) and writes
 * `items.json`, item ids by file name, into the data folder.
 */
const config = readConfig()
const app = await createApp({ config })
if (app.firstAdministrator) await storeItems(app)
process.stdout.write(`is ready at ${await app.start()}\n`)
process.once('SIGTERM', () => void app.stop())

async function storeItems({ clock, database, queue, firstAdministrator }: App): Promise<void> {
  const masterSecrets = await loadMasterSecrets(config)
  const { blobs } = await openBlobStore({ config, masterSecrets, clock })
  const { organization_id: organization, user_id: user, project_id } = firstAdministrator!
  const principal = {
    kind: 'human',
    id: user,
    user,
    organization,
    role: 'owner',
    scopes: ['*'],
    administrator: true,
  } as const
  const actor = {
    organization,
    principal,
    clock: clock.forOrganization(organization),
    operation: 'bench',
    requestId: newId(),
    queue,
    quotas: readOperationQuotas(readConfig({})),
  }
  const items: Record<string, string> = {}
  for (const path of JSON.parse(process.env['BENCH_FILES'] ?? '[]') as string[]) {
    const { asset, geometry } = await storeFile(blobs, path)
    const [id, order_id] = [newId(), newId()]
    await database.forOrganization(organization).transaction(async (tx) => {
      const collection_id = await ensureResultCollection(tx, actor, {
        project_id: project_id!,
        source: { type: 'order', id: order_id },
        name: order_id,
      })
      await addDeliveredItem(tx, actor, {
        id,
        project_id: project_id!,
        collection_id,
        order_id,
        scene_key: id,
        name: basename(path),
        geometry: geometry as unknown as Geometry,
        datetime: clock.now(),
        properties: {},
        assets: [asset],
      })
    })
    items[basename(path)] = id
  }
  await writeFile(join(config.data_dir, 'items.json'), JSON.stringify(items))
}

async function storeFile(blobs: BlobStore, path: string) {
  const source = await openFileSource(path)
  const raster = await openRaster(source)
  const id = newId()
  const blob_path = `items/${id}/data.tif`
  const media_type = 'image/tiff; application=geotiff; profile=cloud-optimized'
  // putFile moves the file, so it gets a hard link.
  const hardLink = join(config.data_dir, `${id}.tif`)
  await link(path, hardLink)
  await blobs.putFile(blob_path, hardLink, media_type)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  const asset: DeliveredAsset = {
    id,
    key: 'data',
    title: null,
    roles: ['data'],
    raster: readRasterMetadata(raster),
    blob_path,
    media_type,
    file_size_bytes: source.size ?? 0,
    checksum_sha256: hash.digest('hex'),
  }
  const geometry = computeRasterFootprint(raster)
  await source.close()
  return { asset, geometry }
}
