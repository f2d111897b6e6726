import { createHash } from 'node:crypto'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { InvalidUploadParts, type BlobMetadata, type BlobStore, type UploadedPart } from '../../platform/blobs/blobs.ts'
import { recordCompletedMultipartUpload } from './presigned-urls.ts'
import type { UploadRow } from './store.ts'
import {
  listUploadFiles,
  updateUploadFileChecksum,
  type UploadFileRow,
  type VerifiedUploadFile,
} from './store.files.ts'

/** A file as its sender declares it. */
export interface DeclaredUploadFile {
  readonly object_path: string
  readonly size: number
  readonly sha256: string
  readonly parts?: readonly { readonly number: number; readonly etag: string }[] | null
}

/** A mismatch between a file and its declaration. */
class FileMismatch extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Verifies every file of a session against its declaration, after joining parts: first all sizes, then the checksums, which
 * require reading. Checksums are stored, so that a repeated request continues from there. Throws `validation` with each
 * mismatch, `quota-storage` for more bytes than reserved.
 */
export async function verifyUploadedFiles(
  call: Call,
  row: UploadRow,
  declared: readonly DeclaredUploadFile[],
): Promise<VerifiedUploadFile[]> {
  const total = declared.reduce((sum, { size }) => sum + size, 0)
  if (total > row.reserved_bytes)
    throw new Problem('quota-storage', `The files have ${total} bytes, but the upload reserved ${row.reserved_bytes}.`)
  const filesByPath = new Map(
    (await listUploadFiles(call.db, call.organization, row.id)).map((file) => [file.object_path, file]),
  )
  const seenPaths = new Set<string>()
  const receivedFiles = await forEachFile(declared, async (file): Promise<ReceivedFile> => {
    const fileRow = filesByPath.get(file.object_path)
    if (!fileRow || seenPaths.has(file.object_path))
      throw new FileMismatch('object_path', 'is not a file of this upload, or is listed twice')
    seenPaths.add(file.object_path)
    return { declared: file, file: fileRow, blob: await receiveFile(call, fileRow, file) }
  })
  return forEachFile(receivedFiles, (received) => verifyChecksum(call, received))
}

/** Processes every file and throws all mismatches together. */
async function forEachFile<File, Result>(
  files: readonly File[],
  work: (file: File) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const fieldErrors: FieldError[] = []
  for (const [index, file] of files.entries()) {
    try {
      results.push(await work(file))
    } catch (error) {
      if (!(error instanceof FileMismatch)) throw error
      fieldErrors.push({ path: `files.${index}.${error.field}`, message: error.message })
      if (fieldErrors.length >= 20) break
    }
  }
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  return results
}

interface ReceivedFile {
  readonly declared: DeclaredUploadFile
  readonly file: UploadFileRow
  readonly blob: BlobMetadata
}

/** The whole object, joined from its parts if there are any. */
async function receiveFile(call: Call, file: UploadFileRow, declared: DeclaredUploadFile): Promise<BlobMetadata> {
  const { blobs } = call
  const parts = file.part_upload === null ? [] : await blobs.listParts(file.object_path, file.part_upload)
  const object = await blobs.head(file.object_path)
  if (parts.length > 0 && (object === null || (declared.parts ?? []).length > 0))
    return joinParts(call, file, declared, parts)
  if (object === null)
    throw new FileMismatch('object_path', 'no complete file was received at this path: send it again')
  if (object.size !== declared.size)
    throw new FileMismatch('size', `is ${declared.size}, but ${object.size} bytes were received`)
  return object
}

async function joinParts(
  { blobs, db, organization }: Call,
  file: UploadFileRow,
  declared: DeclaredUploadFile,
  storedParts: readonly UploadedPart[],
): Promise<BlobMetadata> {
  const selected = declared.parts ? selectParts(storedParts, declared.parts) : storedParts
  const size = selected.reduce((sum, part) => sum + part.size, 0)
  if (size !== declared.size)
    throw new FileMismatch('size', `is ${declared.size}, but its ${selected.length} parts have ${size} bytes`)
  try {
    const blob = await blobs.completeMultipartUpload(file.object_path, file.part_upload!, selected, file.media_type)
    await recordCompletedMultipartUpload({ db, organization }, file)
    return blob
  } catch (error) {
    if (error instanceof InvalidUploadParts) throw new FileMismatch('parts', error.message)
    throw error
  }
}

const normalizeEtag = (etag: string): string => etag.replaceAll('"', '').toLowerCase()

function selectParts(
  storedParts: readonly UploadedPart[],
  namedParts: NonNullable<DeclaredUploadFile['parts']>,
): UploadedPart[] {
  const byNumber = new Map(storedParts.map((part) => [part.number, part]))
  const selected = new Map<number, UploadedPart>()
  for (const { number, etag } of namedParts) {
    const part = byNumber.get(number)
    if (!part) throw new FileMismatch('parts', `part ${number} was not received: send it`)
    if (normalizeEtag(part.etag) !== normalizeEtag(etag))
      throw new FileMismatch('parts', `part ${number} has another ETag: send it again`)
    selected.set(number, part)
  }
  return [...selected.values()].sort((a, b) => a.number - b.number)
}

async function verifyChecksum(call: Call, { declared, file, blob }: ReceivedFile): Promise<VerifiedUploadFile> {
  const { blobs, db, organization } = call
  const sha256 = await readChecksum(blobs, file, blob, call.signal)
  const verified = { id: file.id, size_bytes: blob.size, sha256, etag: blob.etag }
  if (file.etag !== blob.etag) await updateUploadFileChecksum(db, organization, verified)
  if (sha256 !== declared.sha256.toLowerCase())
    throw new FileMismatch('sha256', `is not that of the received bytes, which is ${sha256}: send the file again`)
  return verified
}

/** Returns the checksum from the ETag of the disk store, from an earlier verification, or by reading the object. */
async function readChecksum(
  blobs: BlobStore,
  file: UploadFileRow,
  blob: BlobMetadata,
  signal: AbortSignal,
): Promise<string> {
  if (blobs.kind === 'disk') return blob.etag
  if (file.etag === blob.etag && file.sha256 !== null) return file.sha256
  const hash = createHash('sha256')
  for await (const chunk of await blobs.stream(file.object_path)) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}
