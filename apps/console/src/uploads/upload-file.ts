import type { InputOf } from '@swath/client/operations.ts'
import { retry, type Connection } from './retry.ts'
import { readSlice } from './read-file.ts'
import type { SendBytes } from './send-bytes.ts'
import { createSha256 } from './sha256.ts'
import { isSentWhole, listMissingParts, listParts, type FilePart } from './upload-parts.ts'
import {
  findOpenSession,
  findStoredFile,
  isEndedSession,
  isFinished,
  isOtherContent,
  openSession,
  type SessionRequest,
  type SessionState,
} from './upload-session.ts'

export interface UploadProgress {
  readonly step: 'preparing' | 'sending' | 'waiting' | 'checking'
  readonly sent_bytes: number
}

export interface UploadRun extends SessionRequest {
  readonly file: File
  readonly connection: Connection
  readonly send: SendBytes
  readonly onProgress: (progress: UploadProgress) => void
  readonly onSession: (upload_id: string) => void
}

const hash_piece_bytes = 4 * 2 ** 20
const parallel_parts = 3
/** Parts that the platform does not list after they were sent are sent again this many times. */
const max_rounds = 3

interface Transfer extends UploadRun {
  readonly digest: Promise<string>
  readonly persist: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The bytes that the platform has. */
  stored_bytes: number
  /** The bytes on their way, by part. */
  readonly moving: Map<number, number>
  readonly tell: (step: UploadProgress['step']) => void
}

/**
 * Uploads a file and starts its ingestion. A session that was opened for the same file, and did not end, goes on with the
 * parts that are missing: after a broken connection, a reload, or in another browser. If that session turns out to hold
 * other bytes under the same name and size, it is cancelled and the file is sent once more from its start.
 */
export async function uploadFile(run: UploadRun): Promise<SessionState> {
  const transfer = startTransfer(run)
  const { persist, client } = transfer
  transfer.tell('preparing')
  const session = await persist(async () => (await findOpenSession(run)) ?? (await openSession(run)))
  try {
    return await sendToSession(transfer, session)
  } catch (error) {
    if (!isOtherContent(error)) throw error
    await persist(() => client.call('uploads.cancel', { upload_id: session.id }))
    return sendToSession(transfer, await persist(() => openSession(run)))
  }
}

function startTransfer(run: UploadRun): Transfer {
  const { file, signal, onProgress } = run
  const digest = hashFile(file, signal)
  // Its failure is awaited later; until then it must not count as unhandled.
  digest.catch(() => undefined)
  const moving = new Map<number, number>()
  let current: UploadProgress['step'] = 'preparing'
  const transfer: Transfer = {
    ...run,
    digest,
    moving,
    stored_bytes: 0,
    tell: (step) => {
      if (step !== 'waiting') current = step
      const moving_bytes = [...moving.values()].reduce((sum, bytes) => sum + bytes, 0)
      onProgress({ step, sent_bytes: Math.min(file.size, transfer.stored_bytes + moving_bytes) })
    },
    persist: (work) => retry(work, { ...run, onWait: (isWaiting) => transfer.tell(isWaiting ? 'waiting' : current) }),
  }
  return transfer
}

/** Sends the missing parts, and completes the session, unless another window has completed it meanwhile. */
async function sendToSession(transfer: Transfer, session: SessionState): Promise<SessionState> {
  const { client, file, signal, digest, persist, onSession, tell } = transfer
  onSession(session.id)
  const upload_id = session.id
  const read = () => persist(async () => (await client.call('uploads.get', { upload_id }, { signal })).upload)
  try {
    let known = session
    for (let rounds = 0; rounds < max_rounds && !isComplete(known, file); rounds++) {
      await sendMissing(transfer, known)
      known = await read()
    }
    tell('checking')
    const sha256 = await digest
    return await persist(async () => complete(transfer, await read(), sha256))
  } catch (error) {
    if (!isEndedSession(error)) throw error
    const [ended, sha256] = [await read(), await digest]
    if (!isFinished(ended, file.name, sha256)) throw error
    return ended
  }
}

/** The parts that the platform has not received; the whole file is one part, if it is small. */
function listMissing(session: SessionState, { name, size }: File): FilePart[] {
  const stored = findStoredFile(session, name)
  if (stored?.size_bytes === size) return []
  return isSentWhole(size) ? [{ number: 0, start: 0, end: size }] : listMissingParts(size, stored?.parts ?? [])
}

const isComplete = (session: SessionState, file: File): boolean =>
  findStoredFile(session, file.name) !== undefined && listMissing(session, file).length === 0

async function sendMissing(transfer: Transfer, session: SessionState): Promise<void> {
  const { client, file, signal, persist, tell } = transfer
  const missing = listMissing(session, file)
  transfer.stored_bytes = file.size - missing.reduce((sum, { start, end }) => sum + end - start, 0)
  tell('sending')
  await forEachParallel(missing, parallel_parts, async (part) => {
    await persist(() => sendPart(transfer, session.id, part))
    transfer.stored_bytes += part.end - part.start
    tell('sending')
    if (missing.length === 1) return
    // Other windows see it; a report that fails is followed by the next one.
    const report = { upload_id: session.id, bytes_uploaded: transfer.stored_bytes }
    await client.call('uploads.progress', report, { signal }).catch(() => undefined)
  })
}

async function sendPart(transfer: Transfer, upload_id: string, { number, start, end }: FilePart): Promise<void> {
  const { client, file, signal, send, moving, tell } = transfer
  const bytes = await readSlice(file, start, end)
  const input: InputOf<'uploads.signed_url'> = { upload_id, file_name: file.name, size_bytes: end - start }
  // A new URL for each try: a URL does not live as long as a bad connection.
  const { upload_url } = await (number === 0
    ? client.call('uploads.signed_url', input, { signal })
    : client.call('uploads.part_url', { ...input, number }, { signal }))
  try {
    await send(upload_url, bytes, {
      signal,
      onSent: (sent_bytes) => {
        moving.set(number, Math.min(sent_bytes, end - start))
        tell('sending')
      },
    })
  } finally {
    moving.delete(number)
  }
}

/** Says which parts make the file, as the platform has received them, and starts its ingestion. */
async function complete({ client, file, signal }: Transfer, session: SessionState, sha256: string) {
  // The answer to an earlier try was lost.
  if (isFinished(session, file.name, sha256)) return session
  const stored = findStoredFile(session, file.name)
  const own = new Set(listParts(file.size).map(({ number }) => number))
  const parts =
    isSentWhole(file.size) || stored?.size_bytes === file.size
      ? []
      : (stored?.parts ?? []).filter(({ number }) => own.has(number)).map(({ number, etag }) => ({ number, etag }))
  const named = parts.length > 0 ? { parts } : {}
  const files = [{ object_path: stored?.object_path ?? file.name, size: file.size, sha256, ...named }]
  const { upload } = await client.call('uploads.complete', { upload_id: session.id, files }, { signal })
  return upload
}

/** The SHA-256 of a file, read piece by piece so that the page stays responsive. */
async function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = createSha256()
  for (let start = 0; start < file.size; start += hash_piece_bytes) {
    signal.throwIfAborted()
    hash.update(await readSlice(file, start, Math.min(file.size, start + hash_piece_bytes)))
  }
  return hash.digest()
}

async function forEachParallel<Member>(
  members: readonly Member[],
  count: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  const waiting = [...members]
  const runOne = async (): Promise<void> => {
    for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) await work(member)
  }
  await Promise.all(Array.from({ length: Math.min(count, members.length) }, runOne))
}
