import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../engine/problem.ts'
import { openArchive, type ArchiveEntry } from '../../platform/archives/read-archive.ts'
import { newId } from '../../platform/ids.ts'
import { holdAttempt, type Attempt, type LocalFile } from './attempt.ts'
import { fileKind, takenKinds } from './file-kind.ts'
import { ingestPlain } from './ingest-plain.ts'
import { ingestVector } from './ingest-vector.ts'
import { spool } from './spool.ts'
import { insertFile, listFiles, setIngested, type FileRow } from './store.files.ts'
import { tryFile } from './try-file.ts'

const most_files = 1000

const rasters = /\.(?:tiff?|gtiff|jp2|j2k|jpx)$/i
/** Files that make the whole archive one vector file: the parts of a shapefile, and the main document of a KMZ. */
const wholes = /\.shp$|^doc\.kml$/i
const vectors = /\.(?:geojson|json|kml)$/i

/**
 * Ingests a ZIP: a shapefile or a KMZ is one vector file; otherwise each raster (or, without rasters, each vector file)
 * becomes a file of the session, and other files are ignored. Throws `ZipFailure` if it is unsafe or damaged,
 * `unsupported-raster` if it contains nothing usable.
 */
export async function ingestArchive(attempt: Attempt, local: LocalFile): Promise<void> {
  const archive = await openArchive(local.path)
  try {
    const { entries } = archive
    if (entries.some(({ name }) => wholes.test(name))) return await ingestVector(attempt, local)
    const chosen = choose(entries)
    const outcomes: FileRow[] = []
    for (const entry of chosen) outcomes.push(await ingestEntry(attempt, local.file, entry))
    await close(attempt, local.file, outcomes)
  } finally {
    archive.close()
  }
}

function choose(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const found = [rasters, vectors].map((ending) => entries.filter(({ name }) => ending.test(name)))
  const chosen = found.find((files) => files.length > 0) ?? []
  if (chosen.length === 0) {
    const names = entries.slice(0, 5).map(({ name }) => JSON.stringify(name.slice(0, 80)))
    const holds = names.length === 0 ? 'nothing' : `${names.join(', ')}${entries.length > 5 ? ', …' : ''}`
    throw new Problem('unsupported-raster', `The archive contains ${holds}, and no supported file: ${takenKinds}.`)
  }
  if (chosen.length > most_files)
    throw new Problem(
      'budget-exceeded',
      `The archive contains ${chosen.length} files; at most ${most_files} are allowed.`,
    )
  return chosen
}

/** Extracts and ingests one file of the archive, unless an earlier attempt has. Returns its row. */
async function ingestEntry(attempt: Attempt, parent: FileRow, entry: ArchiveEntry): Promise<FileRow> {
  const file_name = `${parent.file_name}/${entry.name}`
  const known = await fileNamed(attempt, file_name)
  if (known && known.status !== 'verified') return known
  const path = join(attempt.folder, newId())
  try {
    const { size, sha256 } = await spool(entry.open(), path, attempt.signal)
    const file = await enter(attempt, parent, file_name, size, sha256)
    await tryFile(attempt, file, async () => {
      const kind = await fileKind(path)
      if (kind === 'archive') throw new Problem('unsupported-raster', 'Nested archives are not supported.')
      await ingestPlain(attempt, { file, path, size_bytes: size }, kind)
    })
  } finally {
    await rm(path, { force: true })
  }
  return (await fileNamed(attempt, file_name))!
}

const fileNamed = async ({ db, session }: Attempt, file_name: string): Promise<FileRow | undefined> =>
  (await listFiles(db, session.organization_id, session.id)).find((file) => file.file_name === file_name)

const enter = (
  attempt: Attempt,
  parent: FileRow,
  file_name: string,
  size_bytes: number,
  sha256: string,
): Promise<FileRow> =>
  attempt.db.transaction(async (tx) => {
    const { organization_id, id: upload_id } = await holdAttempt(tx, attempt)
    return insertFile(tx, {
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
async function close(attempt: Attempt, parent: FileRow, files: readonly FileRow[]): Promise<void> {
  const item_ids = [...new Set(files.flatMap((file) => file.item_ids))]
  const first = files.find((file) => file.reason !== null)
  if (item_ids.length === 0)
    throw new Problem(
      'unsupported-raster',
      `None of its ${files.length} files could be ingested. ${first?.reason ?? ''}`,
    )
  await attempt.db.transaction(async (tx) => {
    const { organization_id } = await holdAttempt(tx, attempt)
    await setIngested(tx, organization_id, parent.id, item_ids)
  })
}
