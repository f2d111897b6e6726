import { createHash } from 'node:crypto'
import type { Client } from '@swath/client/client.ts'
import type { Upload } from '@swath/contract/schemas/upload.ts'

/** Uploads GeoJSON through HTTP; returns the id of the item that it becomes. */
export async function uploadVector(client: Client, project_id: string, geojson: object): Promise<string> {
  const body = JSON.stringify(geojson)
  const { id: upload_id } = await client.call<Upload>('uploads.initiate', { project_id, total_bytes: body.length })
  const signed = await client.call<{ upload_url: string; object_path: string }>('uploads.signed_url', {
    upload_id,
    file_name: 'field.geojson',
    content_type: 'application/geo+json',
  })
  const uploadResponse = await fetch(signed.upload_url, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/geo+json' },
  })
  if (!uploadResponse.ok)
    throw new Error(`the file was not accepted: ${uploadResponse.status} ${await uploadResponse.text()}`)
  const file = {
    object_path: signed.object_path,
    size: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
  }
  const { item_ids } = await client.call<{ item_ids: string[] }>('uploads.complete', { upload_id, files: [file] })
  if (item_ids[0] === undefined) throw new Error('the file did not become an item')
  return item_ids[0]
}
