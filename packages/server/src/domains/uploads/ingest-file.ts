import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../engine/problem.ts'
import type { Attempt } from './attempt.ts'
import { fileKind } from './file-kind.ts'
import { ingestArchive } from './ingest-archive.ts'
import { ingestPlain } from './ingest-plain.ts'
import { spool } from './spool.ts'
import type { FileRow } from './store.files.ts'

/** Downloads a file and ingests it by its kind. Throws the reason of its rejection, or an internal error. */
export async function ingestFile(attempt: Attempt, file: FileRow): Promise<void> {
  const path = join(attempt.folder, file.id)
  try {
    const stream = await attempt.blobs.stream(file.object_path)
    const { size, sha256 } = await spool(stream, path, attempt.signal)
    // A URL stays valid for a while after its file was verified.
    if (size !== file.size_bytes || sha256 !== file.sha256)
      throw new Problem('validation', 'The file was changed after it had been verified. Start another upload for it.')
    const local = { file, path, size_bytes: size }
    const kind = await fileKind(path)
    if (kind === 'archive') await ingestArchive(attempt, local)
    else await ingestPlain(attempt, local, kind)
  } finally {
    await rm(path, { force: true })
  }
}
