import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../engine/problem.ts'
import { openZipArchive, type ZipFileEntry } from '../../platform/zip/read-zip.ts'
import { newId } from '../../platform/ids.ts'
import { lockCurrentIngestAttempt, type IngestAttempt, type LocalUploadFile } from './attempt.ts'
import { detectUploadFileKind, acceptedUploadFormats } from './file-kind.ts'
import { ingestSingleFile } from './ingest-single-file.ts'
import { ingestVector } from './ingest-vector.ts'
import { writeStreamToFile } from './write-stream.ts'
import { upsertUploadFile, listUploadFiles, markUploadFileIngested, type UploadFileRow } from './store.files.ts'
import { processUploadedFile } from './process-file.ts'

const max_archive_files = 1000

const rasterPattern = /\.(?:tiff?|gtiff|jp2|j2k|jpx)$/i
/** Files that make the whole archive one vector file: the parts of a shapefile, and the main document of a KMZ. */
const wholeArchivePattern = /\.shp$|^doc\.kml$/i
const vectorPattern = /\.(?:geojson|json|kml)$/i

/**
 * Ingests a ZIP: a shapefile or a KMZ is one vector file; otherwise each raster (or, without rasters, each vector file)
 * becomes a file of the session, and other files are ignored. Throws `ZipFailure` if it is unsafe or damaged,
 * `unsupported-raster` if it contains nothing usable.
 */
export async function ingestArchive(attempt: IngestAttempt, local: LocalUploadFile): Promise<void> {
  const archive = await openZipArchive(local.path)
  try {
    const { entries } = archive
    if (entries.some(({ name }) => wholeArchivePattern.test(name))) return await ingestVector(attempt, local)
    const selected = selectEntries(entries)
    const outcomes: UploadFileRow[] = []
    for (const entry of selected) outcomes.push(await ingestEntry(attempt, local.file, entry))
    await completeArchive(attempt, local.file, outcomes)
  } finally {
    archive.close()
  }
}

function selectEntries(entries: readonly ZipFileEntry[]): ZipFileEntry[] {
  const candidates = [rasterPattern, vectorPattern].map((pattern) => entries.filter(({ name }) => pattern.test(name)))
  const selected = candidates.find((files) => files.length > 0) ?? []
  if (selected.length === 0) {
    const names = entries.slice(0, 5).map(({ name }) => JSON.stringify(name.slice(0, 80)))
    const contents = names.length === 0 ? 'nothing' : `${names.join(', ')}${entries.length > 5 ? ', …' : ''}`
    throw new Problem(
      'unsupported-raster',
      `The archive contains ${contents}, and no supported file: ${acceptedUploadFormats}.`,
    )
  }
  if (selected.length > max_archive_files)
    throw new Problem(
      'budget-exceeded',
      `The archive contains ${selected.length} files; at most ${max_archive_files} are allowed.`,
    )
  return selected
}

/** Extracts and ingests one file of the archive, unless an earlier attempt has. Returns its row. */
async function ingestEntry(attempt: IngestAttempt, parent: UploadFileRow, entry: ZipFileEntry): Promise<UploadFileRow> {
  const file_name = `${parent.file_name}/${entry.name}`
  const existing = await findFileByName(attempt, file_name)
  if (existing && existing.status !== 'verified') return existing
  const path = join(attempt.folder, newId())
  try {
    const { size, sha256 } = await writeStreamToFile(entry.open(), path, attempt.signal)
    const file = await registerEntry({ attempt, parent, file_name, size_bytes: size, sha256 })
    await processUploadedFile(attempt, file, async () => {
      const kind = await detectUploadFileKind(path)
      if (kind === 'archive') throw new Problem('unsupported-raster', 'Nested archives are not supported.')
      await ingestSingleFile(attempt, { file, path, size_bytes: size }, kind)
    })
  } finally {
    await rm(path, { force: true })
  }
  return (await findFileByName(attempt, file_name))!
}

const findFileByName = async ({ db, session }: IngestAttempt, file_name: string): Promise<UploadFileRow | undefined> =>
  (await listUploadFiles(db, session.organization_id, session.id)).find((file) => file.file_name === file_name)

const registerEntry = ({
  attempt,
  parent,
  file_name,
  size_bytes,
  sha256,
}: {
  readonly attempt: IngestAttempt
  readonly parent: UploadFileRow
  readonly file_name: string
  readonly size_bytes: number
  readonly sha256: string
}): Promise<UploadFileRow> =>
  attempt.db.transaction(async (tx) => {
    const { organization_id, id: upload_id } = await lockCurrentIngestAttempt(tx, attempt)
    return upsertUploadFile(tx, {
      organization_id,
      upload_id,
      id: newId(),
      file_name,
      object_path: parent.object_path,
      media_type: 'application/octet-stream',
      parent_id: parent.id,
      status: 'verified',
      size_bytes,
      sha256,
      created_at: attempt.actor.clock.now(),
    })
  })

/** Records the items of its files as the items of the archive. Throws if none of them could be used. */
async function completeArchive(
  attempt: IngestAttempt,
  parent: UploadFileRow,
  files: readonly UploadFileRow[],
): Promise<void> {
  const item_ids = [...new Set(files.flatMap((file) => file.item_ids))]
  const first = files.find((file) => file.reason !== null)
  if (item_ids.length === 0)
    throw new Problem(
      'unsupported-raster',
      `None of its ${files.length} files could be ingested. ${first?.reason ?? ''}`,
    )
  await attempt.db.transaction(async (tx) => {
    const { organization_id } = await lockCurrentIngestAttempt(tx, attempt)
    await markUploadFileIngested(tx, organization_id, parent.id, { item_ids, notes: [] })
  })
}
