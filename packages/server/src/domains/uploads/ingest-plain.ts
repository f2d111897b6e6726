import { newId } from '../../platform/ids.ts'
import type { Attempt, LocalFile } from './attempt.ts'
import { commitFile } from './commit-file.ts'
import { developRaster } from './develop-raster.ts'
import type { FileKind } from './file-kind.ts'
import { ingestVector } from './ingest-vector.ts'
import { folderOfFile, stemOf } from './object-paths.ts'
import { takenAt } from './taken-at.ts'

/** Creates one item from one file, or an asset of the target item of the session. */
export const ingestPlain = (attempt: Attempt, local: LocalFile, kind: Exclude<FileKind, 'archive'>): Promise<void> =>
  kind === 'raster' ? ingestRaster(attempt, local) : ingestVector(attempt, local)

async function ingestRaster(attempt: Attempt, { file, path, size_bytes }: LocalFile): Promise<void> {
  const { session, actor, blobs, folder, signal } = attempt
  const developed = await developRaster({
    owner: { organization: actor.organization, background: true },
    blobs,
    path,
    size_bytes,
    file_name: file.file_name,
    is_categorical: session.is_categorical,
    asset_key: session.asset_key ?? 'data',
    thumbnail: session.target_item_id === null,
    folder,
    blob_folder: folderOfFile(actor.organization, file.id),
    signal,
  })
  await commitFile(attempt, file, {
    id: newId(),
    project_id: session.project_id,
    collection_id: session.target_collection_id,
    type: 'user_raster',
    name: stemOf(file.file_name),
    geometry: developed.geometry,
    datetime: takenAt(developed.metadata, file.file_name, actor.clock.now()),
    gsd: developed.gsd,
    upload_id: session.id,
    assets: developed.assets,
    lineage: [{ relation: 'uploaded_by', dst: { type: 'upload', id: session.id } }],
  })
}
