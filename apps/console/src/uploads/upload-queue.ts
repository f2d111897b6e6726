import type { Client } from '@swath/client/client.ts'
import type { Wait } from '@swath/client/transfer/retry.ts'
import type { SendBytes } from '@swath/client/transfer/send-bytes.ts'
import type { UploadProgress } from '@swath/client/transfer/upload-file.ts'

/** Target of the items of a file. */
export interface UploadDestination {
  readonly project_id: string
  readonly collection_id: string | null
  /** The raster has classes, which must not be averaged. */
  readonly is_categorical: boolean
}

/** A file on its way. */
export interface RunningUpload {
  readonly id: number
  readonly name: string
  readonly size_bytes: number
  readonly target: UploadDestination
  /** The session of the platform, as soon as there is one. */
  readonly upload_id: string | null
  readonly state: UploadProgress | { readonly step: 'queued' } | { readonly step: 'failed'; readonly error: unknown }
}

/** The files that this page uploads, a few at a time. */
export interface UploadQueue {
  readonly subscribe: (listener: () => void) => () => void
  /** The same list until something changes. */
  readonly list: () => readonly RunningUpload[]
  /** Adds files; one that is already on its way is not sent twice, and one that failed is tried again. */
  readonly add: (target: UploadDestination, files: readonly File[]) => void
  readonly retry: (id: number) => void
  /** Stops a file, ends its session and releases its storage. */
  readonly cancel: (id: number) => void
}

interface Entry {
  file: File
  stop: AbortController
  upload: RunningUpload
}

const parallel_files = 2
const isIdle = ({ state }: RunningUpload): boolean => state.step === 'queued' || state.step === 'failed'

export interface UploadQueueOptions {
  readonly client: Client
  readonly wait: Wait
  readonly send: SendBytes
  /** A file has arrived, or its session was cancelled. */
  readonly onEnd: () => void
}

/** True for the same file of the same folder, chosen again. */
const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

const isSameTarget = (one: UploadDestination, other: UploadDestination): boolean =>
  one.project_id === other.project_id &&
  one.collection_id === other.collection_id &&
  one.is_categorical === other.is_categorical

/** The files of a queue in their order, observed as a list. */
function createEntryList() {
  const entries = new Map<number, Entry>()
  const listeners = new Set<() => void>()
  let snapshot: readonly RunningUpload[] = []
  let last_id = 0

  const publish = (): void => {
    snapshot = [...entries.values()].map(({ upload }) => upload)
    for (const listener of listeners) listener()
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    list: () => snapshot,
    all: () => [...entries.values()],
    find: (id: number) => entries.get(id),
    add: (target: UploadDestination, file: File): void => {
      const id = ++last_id
      const upload = { id, name: file.name, size_bytes: file.size, target, upload_id: null, state: { step: 'queued' } } as const // prettier-ignore
      entries.set(id, { file, stop: new AbortController(), upload })
      publish()
    },
    remove: ({ upload }: Entry): void => {
      if (entries.delete(upload.id)) publish()
    },
    /** An entry that is no longer in the list was cancelled, and does not change. */
    change: (entry: Entry, part: Partial<RunningUpload>): void => {
      if (entries.get(entry.upload.id) !== entry) return
      entry.upload = { ...entry.upload, ...part }
      publish()
    },
  }
}

/** Sends the file of an entry; tells what happens to it as long as this attempt holds. */
async function sendEntry(
  entry: Entry,
  { client, wait, send }: UploadQueueOptions,
  { all, change }: ReturnType<typeof createEntryList>,
): Promise<unknown> {
  const { file, stop, upload } = entry
  // A late update of a cancelled attempt must not change the next one.
  const changeNow = (part: Partial<RunningUpload>): void => {
    if (entry.stop === stop) change(entry, part)
  }
  changeNow({ state: { step: 'preparing', sent_bytes: 0 } })
  try {
    // Loaded with the first upload: the queue is on every screen.
    const { blobSource, uploadFile } = await import('./upload-code.ts')
    const { collection_id: target_collection_id, ...place } = upload.target
    return await uploadFile(
      client,
      blobSource(file),
      { ...place, target_collection_id },
      {
        transfer_method: 'browser',
        wait,
        send,
        signal: stop.signal,
        isTaken: (upload_id) => all().some((other) => other !== entry && other.upload.upload_id === upload_id),
        onProgress: (state) => changeNow({ state }),
        onSession: (upload_id) => changeNow({ upload_id }),
      },
    )
  } catch (error) {
    changeNow({ state: { step: 'failed', error } })
    throw error
  }
}

export function createUploadQueue(options: UploadQueueOptions): UploadQueue {
  const { client, onEnd } = options
  const entries = createEntryList()

  const startNext = (): void => {
    const all = entries.all()
    const running = all.filter(({ upload }) => !isIdle(upload)).length
    const next = all.filter(({ upload }) => upload.state.step === 'queued')
    for (const entry of next.slice(0, Math.max(0, parallel_files - running))) void start(entry)
  }
  const start = async (entry: Entry): Promise<void> => {
    const isSent = await sendEntry(entry, options, entries).then(
      () => true,
      () => false,
    )
    if (isSent) {
      entries.remove(entry)
      onEnd()
    }
    startNext()
  }
  const retry = (entry: Entry): void => {
    if (entry.upload.state.step !== 'failed') return
    entry.stop = new AbortController()
    entries.change(entry, { state: { step: 'queued' } })
    startNext()
  }
  const addFile = (target: UploadDestination, file: File): void => {
    const same = entries.all().find((entry) => isSameFile(entry.file, file) && isSameTarget(entry.upload.target, target)) // prettier-ignore
    if (!same) return entries.add(target, file)
    same.file = file
    retry(same)
  }
  return {
    subscribe: entries.subscribe,
    list: entries.list,
    add: (target, files) => {
      for (const file of files) addFile(target, file)
      startNext()
    },
    retry: (id) => {
      const entry = entries.find(id)
      if (entry) retry(entry)
    },
    cancel: (id) => {
      const entry = entries.find(id)
      if (!entry) return
      entries.remove(entry)
      entry.stop.abort()
      startNext()
      const { upload_id } = entry.upload
      if (upload_id !== null) client.call('uploads.cancel', { upload_id }).then(onEnd, onEnd)
    },
  }
}
