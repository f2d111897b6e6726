import { getBackgroundRasterJobRunner } from '../tiles/raster-pool.ts'
import { newId } from '../../platform/ids.ts'
import { getItemFolder } from '../items/item-folder.ts'
import type { IngestAttempt, LocalUploadFile } from './attempt.ts'
import { commitUploadedFile } from './commit-file.ts'
import { convertRaster } from './convert-raster.ts'
import type { UploadFileKind } from './file-kind.ts'
import { ingestVector } from './ingest-vector.ts'
import { getFileStem } from './object-paths.ts'
import { describeUnknownTime, findAcquisitionTime } from './acquisition-time.ts'

/** Creates one item from one file, or an asset of the target item of the session. */
export const ingestSingleFile = (
  attempt: IngestAttempt,
  local: LocalUploadFile,
  kind: Exclude<UploadFileKind, 'archive'>,
): Promise<void> => (kind === 'raster' ? ingestRaster(attempt, local) : ingestVector(attempt, local))

async function ingestRaster(attempt: IngestAttempt, { file, path, size_bytes }: LocalUploadFile): Promise<void> {
  const { session, actor, blobs, folder, signal } = attempt
  const converted = await convertRaster({
    jobs: getBackgroundRasterJobRunner(attempt.processServices, actor.organization),
    blobs,
    path,
    size_bytes,
    file_name: file.file_name,
    is_categorical: session.is_categorical,
    asset_key: session.asset_key ?? 'data',
    thumbnail: session.target_item_id === null,
    folder,
    blob_folder: getItemFolder(actor.organization, file.id),
    signal,
    isolated: session.attempt > 1,
  })
  const item = {
    id: newId(),
    project_id: session.project_id,
    collection_id: session.target_collection_id,
    type: 'user_raster',
    name: getFileStem(file.file_name),
    geometry: converted.geometry,
    datetime: findAcquisitionTime(converted.metadata, file.file_name, actor.clock.now()),
    gsd: converted.gsd,
    upload_id: session.id,
    assets: converted.assets,
    lineage: [{ relation: 'uploaded_by', dst: { type: 'upload', id: session.id } }],
  } as const
  await commitUploadedFile(attempt, file, item, [...converted.notes, ...describeUnknownTime(item)])
}
