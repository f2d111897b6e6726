import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliverItem } from '../../../test/test-services.ts'
import { openUploadServices, type UploadServices } from '../../../test/upload-services.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { compareStorage, createReconciliationDependencies } from '../usage/reconciliation/reconciliation.ts'
import { listBlobAssets } from './assets/store.assets.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app.close())

test('a copy made while the project of its source is deleted keeps the blob and its stored bytes', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const { id: target_project_id } = await app.callOperation<{ id: string }>(owner, 'projects.create', {
    name: 'Elsewhere',
  })
  const id = newId()
  const asset = {
    id,
    key: 'data',
    title: null,
    blob_path: `organizations/${organization}/items/${id}/data.tif`,
    media_type: 'image/tiff',
    roles: ['data'],
    file_size_bytes: 10,
    checksum_sha256: '0'.repeat(64),
    raster: null,
  }
  await app.blobs.putBytes(asset.blob_path, new Uint8Array(10), asset.media_type)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })

  const deleting = Promise.withResolvers<unknown>()
  const copying: Call = {
    ...owner,
    transaction: (work) =>
      owner.transaction(async (tx) => {
        const done = await work(tx)
        deleting.resolve(app.callOperation(owner, 'projects.delete', { project_id: project }))
        // Long enough for the concurrent deletion to run until it blocks, on a server with several connections.
        for (let turn = 0; turn < 1000; turn++) await tx.query(sql`select 1`)
        return done
      }),
  }
  await app.callOperation(copying, 'items.duplicate', { item_id, target_project_id })
  await deleting.promise
  await app.taskRunner.runPending()
  const compared = await compareStorage(createReconciliationDependencies(owner, listBlobAssets), organization)
  assert.deepEqual(compared, { journal_bytes: 10, stored_bytes: 10, drifts: [] })
})
