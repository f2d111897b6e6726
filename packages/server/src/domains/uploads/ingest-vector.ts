import { newId } from '../../platform/ids.ts'
import { developVector, vectorItem } from '../vectors/develop-vector.ts'
import type { Attempt, LocalFile } from './attempt.ts'
import { commitFile } from './commit-file.ts'
import { folderOfFile, stemOf } from './object-paths.ts'
import { takenAt } from './taken-at.ts'

/** Creates a vector item from a GeoJSON file, a KML document or a zipped shapefile, with its features in WGS 84. */
export async function ingestVector(attempt: Attempt, { file, path }: LocalFile): Promise<void> {
  const { session, actor, blobs, folder, signal } = attempt
  const developed = await developVector({
    blobs,
    path,
    file_name: file.file_name,
    asset_key: session.asset_key ?? 'data',
    folder,
    blob_folder: folderOfFile(actor.organization, file.id),
    signal,
  })
  const told = vectorItem(developed)
  const dated = developed.file.start !== null
  const now = actor.clock.now()
  await commitFile(attempt, file, {
    ...told,
    datetime: dated ? told.datetime : takenAt({}, file.file_name, now),
    id: newId(),
    project_id: session.project_id,
    collection_id: session.target_collection_id,
    type: 'user_vector',
    name: stemOf(file.file_name),
    upload_id: session.id,
    lineage: [{ relation: 'uploaded_by', dst: { type: 'upload', id: session.id } }],
  })
}
