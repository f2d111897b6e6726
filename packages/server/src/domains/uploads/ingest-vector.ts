import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import type { AddedAsset } from '../items/add-item.ts'
import { readVectors } from '../vectors/read-vectors.ts'
import { geojsonType } from '../vectors/vector-file.ts'
import type { Attempt, LocalFile } from './attempt.ts'
import { commitFile } from './commit-file.ts'
import { folderOfFile, stemOf } from './object-paths.ts'
import { takenAt } from './taken-at.ts'

/** Makes a vector item of a GeoJSON file, a KML document or a zipped shapefile: its features, in WGS 84, are its data. */
export async function ingestVector(attempt: Attempt, { file, path }: LocalFile): Promise<void> {
  const { session, actor, blobs, folder, signal } = attempt
  const out = join(folder, newId())
  try {
    const read = await readVectors(path, out, { signal })
    const blob_path = `${folderOfFile(actor.organization, file.id)}/data.geojson`
    await blobs.putFile(blob_path, out, geojsonType)
    const data: AddedAsset = {
      id: newId(),
      key: session.asset_key ?? 'data',
      title: file.file_name.slice(-200),
      blob_path,
      media_type: geojsonType,
      roles: ['data'],
      file_size_bytes: read.size,
      checksum_sha256: read.checksum_sha256,
      raster: null,
    }
    const now = actor.clock.now(actor.organization)
    const [start, end] = [read.start, read.end].map((time) => (time === null ? null : new Date(time)))
    await commitFile(attempt, file, {
      id: newId(),
      project_id: session.project_id,
      collection_id: session.target_collection_id,
      type: 'user_vector',
      name: stemOf(file.file_name),
      geometry: read.geometry,
      bbox: read.bbox,
      datetime: start ?? takenAt({}, file.file_name, now),
      start_datetime: start ?? null,
      end_datetime: start ? (end ?? start) : null,
      upload_id: session.id,
      assets: [data],
      lineage: [{ relation: 'uploaded_by', dst: { type: 'upload', id: session.id } }],
    })
  } finally {
    await rm(out, { force: true })
  }
}
