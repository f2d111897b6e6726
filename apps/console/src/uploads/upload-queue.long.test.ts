import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import type { SendBytes } from '@swath/client/transfer/send-bytes.ts'
import { UnreadableFileError } from '@swath/client/transfer/errors.ts'
import { partSize } from '@swath/client/transfer/upload-parts.ts'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'

const target = { project_id: 'p', collection_id: null, is_categorical: false }
const part_bytes = partSize(1)

interface Session {
  readonly id: string
  status: string
  readonly total_bytes: number
  readonly parts: Map<number, Stored>
  whole_bytes?: number | null
  sha256?: string | null
  file_name: string | null
}

interface Stored {
  readonly size: number
  readonly etag: string
}

interface PlatformOptions {
  readonly sessions?: Session[]
  /** Attempts to send a part that fail. */
  readonly breaks?: (url: string) => boolean
  /** Parts that are lost after they were accepted. */
  readonly loses?: (url: string) => boolean
  /** Called by `uploads.complete` instead of its work. */
  readonly onComplete?: (session: Session) => void
}

/** A platform with upload sessions. */
function createPlatform({ sessions = [], breaks = () => false, loses = () => false, onComplete }: PlatformOptions) {
  const sent: string[] = []
  const completed: { readonly upload_id: string; readonly files: readonly { readonly sha256: string; readonly parts?: unknown }[] }[] = [] // prettier-ignore
  const calls: string[] = []
  const toUpload = ({ id, status, total_bytes, parts, whole_bytes = null, file_name, sha256 = null }: Session) => ({
    id,
    status,
    total_bytes,
    project_id: 'p',
    asset_key: null,
    created_by: 'me',
    target_collection_id: null,
    target_item_id: null,
    is_categorical: false, // prettier-ignore
    files: file_name
      ? [{ file_name, object_path: 'path', size_bytes: whole_bytes, sha256, parts: [...parts].map(([number, { size, etag }]) => ({ number, size_bytes: size, etag })) }] // prettier-ignore
      : [],
  })
  const find = ({ upload_id }: { upload_id?: string }): Session => sessions.find(({ id }) => id === upload_id)!
  const urlOf = (input: { upload_id: string; file_name: string; number?: number }) => {
    const session = find(input)
    if (!['initiated', 'uploading'].includes(session.status)) throw problem(409, 'invalid-state')
    session.file_name = input.file_name
    return { upload_url: `${input.upload_id}/${input.number ?? 0}` }
  }
  const answers: Record<string, (input: never) => unknown> = {
    'users.me': () => ({ user: { id: 'me' } }),
    'uploads.list': ({ status }: { status: string }) => ({ uploads: sessions.filter((session) => session.status === status).map(toUpload) }), // prettier-ignore
    'uploads.get': (input) => ({ upload: toUpload(find(input)) }),
    'uploads.initiate': ({ total_bytes }: { total_bytes: number }) => {
      sessions.push({ id: `s${sessions.length}`, status: 'initiated', total_bytes, parts: new Map(), file_name: null })
      return toUpload(sessions.at(-1)!)
    },
    'uploads.part_url': urlOf,
    'uploads.signed_url': urlOf,
    'uploads.progress': () => ({}),
    'uploads.cancel': (input) => {
      find(input).status = 'cancelled'
      return {}
    },
    'uploads.complete': (input: (typeof completed)[number]) => {
      const session = find(input)
      completed.push(input)
      onComplete?.(session)
      session.status = 'completed'
      session.sha256 = input.files[0]!.sha256
      return { upload: toUpload(session) }
    },
  }
  const client = {
    call: (operation: string, input: unknown) => {
      calls.push(operation)
      return Promise.resolve().then(() => answers[operation]!(input as never))
    },
  } as unknown as Client
  const send: SendBytes = async (url, bytes, { signal, onSent }) => {
    signal.throwIfAborted()
    onSent(bytes.length / 2)
    if (breaks(url)) throw new TypeError('connection lost')
    sent.push(url)
    const [id, number] = url.split('/')
    const session = find({ upload_id: id! })
    if (loses(url)) return
    if (number === '0') session.whole_bytes = bytes.length
    else session.parts.set(Number(number), { size: bytes.length, etag: `e${number}` })
  }
  return { client, send, sessions, sent, completed, calls }
}

const problem = (status: number, name: string, more: object = {}): ApiProblem =>
  new ApiProblem(status, { type: `/problems/${name}`, ...more }, null)

const createQueue = ({ client, send }: Pick<ReturnType<typeof createPlatform>, 'client' | 'send'>): UploadQueue =>
  createUploadQueue({ client, send, wait, onEnd: () => undefined })

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const openFor = (size: number, change: Partial<Session> = {}): Session => ({
  id: 'old',
  status: 'uploading',
  total_bytes: size,
  file_name: 'scene.tif',
  parts: new Map([[1, { size: part_bytes, etag: 'e1' }]]),
  ...change,
})

const file = (name: string, size: number): File => new File([new Uint8Array(size)], name)
const wait = (): Promise<void> => Promise.resolve()

/** Resolves when no file is on its way. */
const settle = (queue: UploadQueue): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (queue.list().every(({ state }) => state.step === 'failed')) resolve()
    }
    queue.subscribe(look)
    look()
  })

test('a broken connection costs the part that it broke', async () => {
  const broken = new Set(['s0/2', 's0/3'])
  const platform = createPlatform({ breaks: (url) => broken.delete(url) })
  const queue = createQueue(platform)
  const scene = file('scene.tif', 2 * part_bytes + 5)
  queue.add(target, [scene])
  await settle(queue)
  assert.deepEqual(queue.list(), [])
  assert.deepEqual(platform.sent.toSorted(), ['s0/1', 's0/2', 's0/3'])
  const sha256 = hashOf(new Uint8Array(scene.size))
  assert.deepEqual(platform.completed, [
    {
      upload_id: 's0',
      files: [
        {
          object_path: 'path',
          size: scene.size,
          sha256,
          parts: [...platform.sessions[0]!.parts.keys()].map((number) => ({ number, etag: `e${number}` })),
        },
      ],
    },
  ])
})

test('the same file, chosen again, goes on where its session stopped', async () => {
  const size = 2 * part_bytes + 5
  const platform = createPlatform({ sessions: [openFor(size)] })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.deepEqual(platform.sent.toSorted(), ['old/2', 'old/3'])
  assert.ok(!platform.calls.includes('uploads.initiate'))
})

test('a connection that stays broken fails the file, which can be tried again', async () => {
  let isBroken = true
  const platform = createPlatform({ breaks: () => isBroken })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', part_bytes + 1)])
  await settle(queue)
  assert.equal(queue.list()[0]!.state.step, 'failed')
  isBroken = false
  queue.retry(queue.list()[0]!.id)
  await settle(queue)
  assert.deepEqual(queue.list(), [])
  assert.equal(platform.sessions.length, 1)
})

test('a cancelled file ends its session and lets the next one start', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const platform = createPlatform({})
  const send: SendBytes = (...input) => gate.then(() => platform.send(...input))
  const queue = createQueue({ ...platform, send })
  queue.add(target, [file('a.tif', part_bytes + 1), file('b.tif', part_bytes + 2), file('c.tif', part_bytes + 3)])
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(
    queue.list().map(({ state }) => state.step),
    ['sending', 'sending', 'queued'],
  )
  queue.cancel(queue.list()[0]!.id)
  release()
  await settle(queue)
  assert.deepEqual(platform.sessions.map(({ status }) => status).toSorted(), ['cancelled', 'completed', 'completed'])
})

test('a small file is sent in one piece', async () => {
  const platform = createPlatform({})
  const queue = createQueue(platform)
  queue.add(target, [file('fields.geojson', 12)])
  await settle(queue)
  assert.deepEqual(platform.sent, ['s0/0'])
  assert.equal(platform.completed[0]!.files[0]!.parts, undefined)
})

test('a part that the platform does not list after it was sent is sent again', async () => {
  const lost = new Set(['s0/2'])
  const platform = createPlatform({ loses: (url) => lost.delete(url) })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', 2 * part_bytes + 5)])
  await settle(queue)
  assert.deepEqual(platform.sent.toSorted(), ['s0/1', 's0/2', 's0/2', 's0/3'])
  assert.equal((platform.completed[0]!.files[0]!.parts as unknown[]).length, 3)
})

test('parts of another division of the file are replaced, and those beyond its end are left out', async () => {
  const size = part_bytes + 5
  const parts = new Map([1, 2, 3].map((number) => [number, { size: 1000, etag: 'other' }]))
  const platform = createPlatform({ sessions: [openFor(size, { parts })] })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.deepEqual(platform.completed[0]!.files[0]!.parts, [
    { number: 1, etag: 'e1' },
    { number: 2, etag: 'e2' },
  ])
})

test('a session whose file has arrived is completed without sending it again', async () => {
  const size = part_bytes + 5
  const platform = createPlatform({ sessions: [openFor(size, { parts: new Map(), whole_bytes: size })] })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.deepEqual(platform.sent, [])
  assert.equal(platform.completed.length, 1)
})

test('a lost answer to the completion does not complete the session twice', async () => {
  let answers = 0
  const platform = createPlatform({})
  const call = async (operation: string, input: object): Promise<unknown> => {
    const output: unknown = await platform.client.call(operation, input)
    if (operation === 'uploads.complete' && answers++ === 0) throw new TypeError('connection lost')
    return output
  }
  const queue = createQueue({ ...platform, client: { ...platform.client, call } as unknown as Client })
  queue.add(target, [file('scene.tif', part_bytes + 1)])
  await settle(queue)
  assert.deepEqual(queue.list(), [])
  assert.equal(platform.completed.length, 1)
})

test('a session with other bytes under the same name is cancelled, and the file is sent from its start', async () => {
  const size = part_bytes + 5
  const platform = createPlatform({
    sessions: [openFor(size)],
    onComplete: ({ id }) => {
      if (id === 'old') throw problem(422, 'validation', { errors: [{ path: 'files.0.sha256' }] })
    },
  })
  const queue = createQueue(platform)
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.deepEqual(queue.list(), [])
  assert.deepEqual(
    platform.sessions.map(({ id, status }) => [id, status]),
    [
      ['old', 'cancelled'],
      ['s1', 'completed'],
    ],
  )
  assert.deepEqual(platform.sent.toSorted(), ['old/2', 's1/1', 's1/2'])
})

test('a session that another window has completed with the same bytes counts as arrived', async () => {
  const size = part_bytes + 5
  const open = openFor(size)
  const platform = createPlatform({ sessions: [open] })
  const send: SendBytes = () => {
    Object.assign(open, { status: 'completed', sha256: hashOf(new Uint8Array(size)) })
    return Promise.reject(problem(410, 'gone-expired'))
  }
  const queue = createQueue({ ...platform, send })
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.deepEqual(queue.list(), [])
  assert.equal(platform.completed.length, 0)
})

test('a session that was cancelled elsewhere fails the file', async () => {
  const size = part_bytes + 5
  const open = openFor(size)
  const platform = createPlatform({ sessions: [open] })
  const send: SendBytes = () => {
    open.status = 'cancelled'
    return Promise.reject(problem(410, 'gone-expired'))
  }
  const queue = createQueue({ ...platform, send })
  queue.add(target, [file('scene.tif', size)])
  await settle(queue)
  assert.equal(queue.list()[0]!.state.step, 'failed')
})

test('a file that is dropped twice is sent once, and two files of one name and size get a session each', async () => {
  const size = part_bytes + 5
  const platform = createPlatform({})
  const queue = createQueue(platform)
  const one = new File([new Uint8Array(size)], 'B04.tif', { lastModified: 1 })
  const other = new File([new Uint8Array(size).fill(7)], 'B04.tif', { lastModified: 2 })
  queue.add(target, [one, other])
  queue.add(target, [one])
  await settle(queue)
  assert.equal(platform.sessions.length, 2)
  assert.deepEqual(
    platform.completed.map(({ files }) => files[0]!.sha256).toSorted(),
    [hashOf(new Uint8Array(size)), hashOf(new Uint8Array(size).fill(7))].toSorted(),
  )
})

test('a file that cannot be read fails at once, without a wait for the connection', async () => {
  const platform = createPlatform({})
  let waits = 0
  const wait = (): Promise<void> => Promise.resolve(void waits++)
  const queue = createUploadQueue({ ...platform, wait, onEnd: () => undefined })
  const folder = file('folder', 10)
  folder.slice = () =>
    ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }) as unknown as Blob
  queue.add(target, [folder])
  await settle(queue)
  const { state } = queue.list()[0]!
  assert.ok(state.step === 'failed' && state.error instanceof UnreadableFileError)
  assert.equal(waits, 0)
})

test('the bytes of a part on its way count while it moves', async () => {
  const platform = createPlatform({})
  const queue = createQueue(platform)
  const seen: number[] = []
  queue.subscribe(() => {
    const [upload] = queue.list()
    if (upload?.state.step === 'sending') seen.push(upload.state.sent_bytes)
  })
  queue.add(target, [file('fields.geojson', 1000)])
  await settle(queue)
  assert.deepEqual(seen, [0, 500, 1000])
})
