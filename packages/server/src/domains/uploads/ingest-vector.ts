import { newId } from '../../platform/ids.ts'
import { convertVector, toVectorItemFields } from '../vectors/convert-vector.ts'
import { getItemFolder } from '../items/item-folder.ts'
import type { IngestAttempt, LocalUploadFile } from './attempt.ts'
import { commitUploadedFile } from './commit-file.ts'
import { getFileStem } from './object-paths.ts'
import { describeUnknownTime, findAcquisitionTime } from './acquisition-time.ts'

/** Creates a vector item from a GeoJSON file, a KML document or a zipped shapefile, with its features in WGS 84. */
export async function ingestVector(attempt: IngestAttempt, { file, path }: LocalUploadFile): Promise<void> {
  const { session, actor, blobs, folder, signal } = attempt
  const converted = await convertVector({
    blobs,
    path,
    file_name: file.file_name,
    asset_key: session.asset_key ?? 'data',
    folder,
    blob_folder: getItemFolder(actor.organization, file.id),
    signal,
  })
  const vectorFields = toVectorItemFields(converted)
  const isDated = converted.file.start !== null
  const now = actor.clock.now()
  const item = {
    ...vectorFields,
    datetime: isDated ? vectorFields.datetime : findAcquisitionTime({}, file.file_name, now),
    id: newId(),
    project_id: session.project_id,
    collection_id: session.target_collection_id,
    type: 'user_vector',
    name: getFileStem(file.file_name),
    upload_id: session.id,
    lineage: [{ relation: 'uploaded_by', dst: { type: 'upload', id: session.id } }],
  } as const
  await commitUploadedFile(attempt, file, item, [...converted.file.notes, ...describeUnknownTime(item)])
}
