import { createHash } from 'node:crypto'
import type { Client } from '@swath/client/client.ts'

/** The collections and items of a library after some work, beside delivered scenes. */
export interface SampleLibrary {
  readonly collectionId: string
  /** An item that was made from another one. */
  readonly copyId: string
}

const part_bytes = 256 * 1024

const field = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { crop: 'barley', sown: '2026-03-14' },
      geometry: {
        type: 'Polygon',
        coordinates: [[[144.9, -37.9], [145.1, -37.9], [145.1, -37.7], [144.9, -37.7], [144.9, -37.9]]], // prettier-ignore
      },
    },
  ],
}
const photograph = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(2048)])

async function sendFile(client: Client, project_id: string, file_name: string, body: Buffer): Promise<void> {
  const { id: upload_id } = await client.call('uploads.initiate', { project_id, total_bytes: body.length })
  const { upload_url, object_path } = await client.call('uploads.signed_url', { upload_id, file_name, size_bytes: body.length }) // prettier-ignore
  await client.put(upload_url, new Blob([Uint8Array.from(body)]))
  const sha256 = createHash('sha256').update(body).digest('hex')
  await client.call('uploads.complete', { upload_id, files: [{ object_path, size: body.length, sha256 }] })
}

/** Sends the first part of a file, as a window does that is closed too early. */
async function sendFirstPart(client: Client, project_id: string, file_name: string): Promise<void> {
  const { id: upload_id } = await client.call('uploads.initiate', { project_id, total_bytes: 4 * part_bytes })
  const { upload_url } = await client.call('uploads.part_url', { upload_id, file_name, number: 1, size_bytes: part_bytes }) // prettier-ignore
  await client.put(upload_url, new Blob([new Uint8Array(part_bytes)]))
  await client.call('uploads.progress', { upload_id, status: 'uploading', bytes_uploaded: part_bytes })
}

/** Sorts scenes into a collection, copies and deletes one, and uploads files that arrive, are refused and are not finished. */
export async function fillLibrary(
  client: Client,
  project_id: string,
  itemIds: readonly string[],
): Promise<SampleLibrary> {
  await client.call('projects.create', { name: 'Coast survey', description: 'Shorelines before and after the storms.' })
  const harvest = await client.call('collections.create', { project_id, name: 'Harvest', color: '#3f9c35' })
  await client.call('collections.create', { project_id, name: 'Reference' })
  await client.call('items.update', { item_id: itemIds[0]!, collection_id: harvest.id, description: 'First cut, north.' }) // prettier-ignore
  const copy = await client.call('items.duplicate', { item_id: itemIds[0]! })
  const spare = await client.call('items.duplicate', { item_id: itemIds[1]! })
  await client.call('items.delete', { item_id: spare.id })
  await sendFile(client, project_id, 'barley-fields.geojson', Buffer.from(JSON.stringify(field)))
  await sendFile(client, project_id, 'photograph.png', photograph)
  await sendFirstPart(client, project_id, 'orthophoto-2026.tif')
  return { collectionId: harvest.id, copyId: copy.id }
}
