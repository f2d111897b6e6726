import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../engine/problem.ts'
import type { IngestAttempt } from './attempt.ts'
import { detectFileKind } from './file-kind.ts'
import { ingestArchive } from './ingest-archive.ts'
import { ingestSingleFile } from './ingest-single-file.ts'
import { writeStreamToFile } from './write-stream.ts'
import type { UploadFileRow } from './store.files.ts'

/** Downloads a file and ingests it by its kind. Throws the reason of its rejection, or an internal error. */
export async function ingestFile(attempt: IngestAttempt, file: UploadFileRow): Promise<void> {
  const path = join(attempt.folder, file.id)
  try {
    const stream = await attempt.blobs.stream(file.object_path)
    const { size, sha256 } = await writeStreamToFile(stream, path, attempt.signal)
    // A URL stays valid for a while after its file was verified.
    if (size !== file.size_bytes || sha256 !== file.sha256)
      throw new Problem('validation', 'The file was changed after it had been verified. Start another upload for it.')
    const local = { file, path, size_bytes: size }
    const kind = await detectFileKind(path)
    if (kind === 'archive') await ingestArchive(attempt, local)
    else await ingestSingleFile(attempt, local, kind)
  } finally {
    await rm(path, { force: true })
  }
}
