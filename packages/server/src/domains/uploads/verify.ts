import { createHash } from 'node:crypto'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { PartsUnusable, type BlobFacts, type Blobs, type PartFacts } from '../../platform/blobs/blobs.ts'
import { endSending } from './bucket-addresses.ts'
import type { UploadRow } from './store.ts'
import { listFiles, rememberBytes, type FileRow, type VerifiedFile } from './store.files.ts'

/** A file as its sender declares it. */
export interface SentFile {
  readonly object_path: string
  readonly size: number
  readonly sha256: string
  readonly parts?: readonly { readonly number: number; readonly etag: string }[] | null
}

/** A mismatch between a file and its declaration. */
class Misfit extends Error {
  readonly member: string
  constructor(member: string, message: string) {
    super(message)
    this.member = member
  }
}

/**
 * Verifies every file of a session against its declaration, after joining parts: first all sizes, then the checksums, which
 * require reading. Checksums are stored, so that a repeated request continues from there. Throws `validation` with each
 * mismatch, `quota-storage` for more bytes than reserved.
 */
export async function verifyFiles(call: Call, row: UploadRow, sent: readonly SentFile[]): Promise<VerifiedFile[]> {
  const total = sent.reduce((sum, { size }) => sum + size, 0)
  if (total > row.reserved_bytes)
    throw new Problem('quota-storage', `The files have ${total} bytes, but the upload reserved ${row.reserved_bytes}.`)
  const known = new Map((await listFiles(call.db, call.organization, row.id)).map((file) => [file.object_path, file]))
  const once = new Set<string>()
  const found = await each(sent, async (file): Promise<Arrival> => {
    const own = known.get(file.object_path)
    if (!own || once.has(file.object_path))
      throw new Misfit('object_path', 'is not a file of this upload, or is listed twice')
    once.add(file.object_path)
    return { sent: file, file: own, facts: await arrivalOf(call, own, file) }
  })
  return each(found, (arrival) => checkSum(call, arrival))
}

/** Processes every file and throws all mismatches together. */
async function each<File, Result>(files: readonly File[], work: (file: File) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const faults: Fault[] = []
  for (const [index, file] of files.entries()) {
    try {
      results.push(await work(file))
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      faults.push({ path: `files.${index}.${error.member}`, message: error.message })
      if (faults.length >= 20) break
    }
  }
  if (faults.length > 0) throw validationProblem(faults)
  return results
}

interface Arrival {
  readonly sent: SentFile
  readonly file: FileRow
  readonly facts: BlobFacts
}

/** The whole object, joined from its parts if there are any. */
async function arrivalOf(call: Call, file: FileRow, sent: SentFile): Promise<BlobFacts> {
  const { blobs } = call
  const parts = file.part_upload === null ? [] : await blobs.listParts(file.object_path, file.part_upload)
  const whole = await blobs.head(file.object_path)
  if (parts.length > 0 && (whole === null || (sent.parts ?? []).length > 0)) return join(call, file, sent, parts)
  if (whole === null) throw new Misfit('object_path', 'no complete file was received at this path: send it again')
  if (whole.size !== sent.size) throw new Misfit('size', `is ${sent.size}, but ${whole.size} bytes were received`)
  return whole
}

async function join(
  { blobs, db, organization }: Call,
  file: FileRow,
  sent: SentFile,
  there: readonly PartFacts[],
): Promise<BlobFacts> {
  const chosen = sent.parts ? chooseParts(there, sent.parts) : there
  const size = chosen.reduce((sum, part) => sum + part.size, 0)
  if (size !== sent.size) throw new Misfit('size', `is ${sent.size}, but its ${chosen.length} parts have ${size} bytes`)
  try {
    const facts = await blobs.joinParts(file.object_path, file.part_upload!, chosen, file.media_type)
    await endSending({ db, organization }, file)
    return facts
  } catch (error) {
    if (error instanceof PartsUnusable) throw new Misfit('parts', error.message)
    throw error
  }
}

const plainTag = (etag: string): string => etag.replaceAll('"', '').toLowerCase()

function chooseParts(there: readonly PartFacts[], named: NonNullable<SentFile['parts']>): PartFacts[] {
  const byNumber = new Map(there.map((part) => [part.number, part]))
  const chosen = new Map<number, PartFacts>()
  for (const { number, etag } of named) {
    const part = byNumber.get(number)
    if (!part) throw new Misfit('parts', `part ${number} was not received: send it`)
    if (plainTag(part.etag) !== plainTag(etag))
      throw new Misfit('parts', `part ${number} has another ETag: send it again`)
    chosen.set(number, part)
  }
  return [...chosen.values()].sort((a, b) => a.number - b.number)
}

async function checkSum(call: Call, { sent, file, facts }: Arrival): Promise<VerifiedFile> {
  const { blobs, db, organization } = call
  const sha256 = await checksumOf(blobs, file, facts, call.signal)
  const verified = { id: file.id, size_bytes: facts.size, sha256, etag: facts.etag }
  if (file.etag !== facts.etag) await rememberBytes(db, organization, verified)
  if (sha256 !== sent.sha256.toLowerCase())
    throw new Misfit('sha256', `is not that of the received bytes, which is ${sha256}: send the file again`)
  return verified
}

/** From the ETag of the disk store, from an earlier verification, or by reading the object. */
async function checksumOf(blobs: Blobs, file: FileRow, facts: BlobFacts, signal: AbortSignal): Promise<string> {
  if (blobs.kind === 'disk') return facts.etag
  if (file.etag === facts.etag && file.sha256 !== null) return file.sha256
  const hash = createHash('sha256')
  for await (const chunk of await blobs.stream(file.object_path)) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}
