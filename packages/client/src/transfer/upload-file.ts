import type { Client } from '../client.ts'
import type { InputOf, Upload } from '../operations.ts'
import { forEachParallel } from './for-each-parallel.ts'
import { retry, type Wait } from './retry.ts'
import { sendBytes, type SendBytes } from './send-bytes.ts'
import { createSha256 } from './sha256.ts'
import { isSentWhole, listMissingParts, listParts, type FilePart } from './upload-parts.ts'
import {
  findOpenSession,
  findStoredFile,
  hasEnded,
  isEndedSession,
  isFinished,
  isOtherContent,
  openSession,
  readRememberedSession,
  type SessionRequest,
  type UploadPlace,
} from './upload-session.ts'
import type { UploadSource, UploadStateStore } from './upload-source.ts'

export interface UploadProgress {
  /** `waiting` for a connection, `checking`: the platform verifies the bytes. */
  readonly step: 'preparing' | 'sending' | 'waiting' | 'checking'
  readonly sent_bytes: number
}

export interface UploadOptions {
  /** Remembers the session over a crash. */
  readonly state?: UploadStateStore
  /**
   * Searches open sessions of this person by name and size; by default where there is no `state`. Uploads of files of one name
   * and size that run at once need `state`, or `isTaken`.
   */
  readonly resume?: boolean
  readonly onProgress?: (progress: UploadProgress) => void
  /** Called with the id of the session as soon as there is one. */
  readonly onSession?: (upload_id: string) => void
  readonly signal?: AbortSignal
  /** Parts that are sent at once, and in memory; default 3. */
  readonly parallel?: number
  /** Sessions that other files use. */
  readonly isTaken?: (upload_id: string) => boolean
  /** Recorded with the session; default `cli`. */
  readonly transfer_method?: 'browser' | 'cli'
  readonly send?: SendBytes
  readonly wait?: Wait
}

const hash_piece_bytes = 4 * 2 ** 20
const default_parallel = 3
/** Parts that the platform does not list after they were sent are sent again this many times. */
const max_rounds = 3

interface Transfer extends SessionRequest {
  readonly file: UploadSource
  readonly parallel: number
  readonly send: SendBytes
  readonly state: UploadStateStore | null
  readonly resume: boolean
  readonly onSession: (upload_id: string) => void
  readonly digest: Promise<string>
  readonly persist: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The bytes that the platform has. */
  stored_bytes: number
  /** The bytes on their way, by part. */
  readonly moving: Map<number, number>
  readonly tell: (step: UploadProgress['step']) => void
}

/**
 * Uploads a file in parts and starts its ingestion (`waitForUpload` waits for its end). A session that was opened for the same
 * file, and did not end, goes on with the parts that are missing: after a broken connection, a crash, or on another machine. If
 * that session turns out to hold other bytes under the same name and size, it is cancelled and the file is sent once more from its
 * start.
 */
export async function uploadFile(
  client: Client,
  source: UploadSource,
  target: UploadPlace,
  options: UploadOptions = {},
): Promise<Upload> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])])
  try {
    const transfer = startTransfer(client, source, target, { ...options, signal })
    const session = await uploadOnce(transfer)
    await transfer.state?.clear()
    return session
  } finally {
    // The other parts, and the hash, of an upload that failed.
    stop.abort()
  }
}

async function uploadOnce(transfer: Transfer): Promise<Upload> {
  const { persist, client } = transfer
  transfer.tell('preparing')
  const session = await persist(() => findSession(transfer))
  try {
    return await sendToSession(transfer, session)
  } catch (error) {
    if (!isOtherContent(error)) throw error
    await persist(() => client.call('uploads.cancel', { upload_id: session.id }))
    return sendToSession(transfer, await persist(() => openSession(transfer)))
  }
}

/** The session of an earlier attempt, or a new one. */
async function findSession(transfer: Transfer): Promise<Upload> {
  const remembered = await transfer.state?.load()
  const session = remembered ? await readRememberedSession(transfer, remembered) : null
  // The answer that it has ended was lost; otherwise an ended session is of no use.
  if (session && (!hasEnded(session) || isFinished(session, transfer.file.name, await transfer.digest))) return session
  return (transfer.resume ? await findOpenSession(transfer) : null) ?? (await openSession(transfer))
}

function startTransfer(
  client: Client,
  file: UploadSource,
  target: UploadPlace,
  options: UploadOptions & { readonly signal: AbortSignal },
): Transfer {
  const { signal, wait, onProgress = () => undefined, onSession = () => undefined } = options
  const digest = hashFile(file, signal)
  // Its failure is awaited later; until then it must not count as unhandled.
  digest.catch(() => undefined)
  const moving = new Map<number, number>()
  let current: UploadProgress['step'] = 'preparing'
  const transfer: Transfer = {
    client,
    file,
    target,
    signal,
    onSession,
    digest,
    moving,
    state: options.state ?? null,
    resume: options.resume ?? !options.state,
    parallel: options.parallel ?? default_parallel,
    send: options.send ?? sendBytes,
    isTaken: options.isTaken ?? (() => false),
    transfer_method: options.transfer_method ?? 'cli',
    stored_bytes: 0,
    tell: (step) => {
      if (step !== 'waiting') current = step
      const moving_bytes = [...moving.values()].reduce((sum, bytes) => sum + bytes, 0)
      onProgress({ step, sent_bytes: Math.min(file.size, transfer.stored_bytes + moving_bytes) })
    },
    persist: (work) =>
      retry(() => work(), { signal, wait, onWait: (isWaiting) => transfer.tell(isWaiting ? 'waiting' : current) }),
  }
  return transfer
}

/** Sends the missing parts, and completes the session, unless another window has completed it meanwhile. */
async function sendToSession(transfer: Transfer, session: Upload): Promise<Upload> {
  const { client, file, signal, digest, persist, onSession, tell } = transfer
  const upload_id = session.id
  onSession(upload_id)
  await transfer.state?.save(upload_id)
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
function listMissing(session: Upload, { name, size }: UploadSource): FilePart[] {
  const stored = findStoredFile(session, name)
  if (stored?.size_bytes === size) return []
  return isSentWhole(size) ? [{ number: 0, start: 0, end: size }] : listMissingParts(size, stored?.parts ?? [])
}

const isComplete = (session: Upload, file: UploadSource): boolean =>
  findStoredFile(session, file.name) !== undefined && listMissing(session, file).length === 0

async function sendMissing(transfer: Transfer, session: Upload): Promise<void> {
  const { client, file, signal, persist, tell } = transfer
  const missing = listMissing(session, file)
  transfer.stored_bytes = file.size - missing.reduce((sum, { start, end }) => sum + end - start, 0)
  tell('sending')
  await forEachParallel(missing, transfer.parallel, async (part) => {
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
  const bytes = await file.read(start, end)
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
async function complete({ client, file, signal }: Transfer, session: Upload, sha256: string) {
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

/** The SHA-256 of a file, read piece by piece so that a page stays responsive. */
async function hashFile(file: UploadSource, signal: AbortSignal): Promise<string> {
  const hash = createSha256()
  for (let start = 0; start < file.size; start += hash_piece_bytes) {
    signal.throwIfAborted()
    hash.update(await file.read(start, Math.min(file.size, start + hash_piece_bytes)))
  }
  return hash.digest()
}
