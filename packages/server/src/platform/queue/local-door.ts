import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import type { DeadTask, HouseQueue } from './queue.ts'

/** The requests of an operator on the same machine to a running server. */
export type LocalQuestion = { readonly ask: 'dead' } | { readonly ask: 'retry'; readonly id: string }

/** A dead task as JSON: its date is text. */
export type ToldTask = Omit<DeadTask, 'failed_at'> & { readonly failed_at: string }

export type LocalAnswer =
  | { readonly dead: readonly ToldTask[] }
  | { readonly revived: boolean }
  | { readonly fault: string }

const longestQuestion = 1000
/** The limit of the operating system for a socket path. */
const longestPath = 100
const patience_ms = 10_000

/** The socket path of a server with this data folder; null if it would be too long. */
export function localDoorPath(data_dir: string): string | null {
  const path = resolve(data_dir, 'admin.sock')
  return path.length <= longestPath && process.platform !== 'win32' ? path : null
}

type Asked = Pick<HouseQueue, 'dead' | 'retry'>

/**
 * Opens the admin socket: a socket in the data folder that only its owner can use. Only the running server can use the
 * embedded database, so a tool must send its requests to the server. One line of JSON per request and response.
 */
export async function openLocalDoor(path: string, queue: Asked): Promise<{ close(): Promise<void> }> {
  // The folder is locked by this process, so an existing socket is left over from a dead process.
  await rm(path, { force: true })
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.setTimeout(patience_ms, () => socket.destroy()).on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
    void readLine(socket)
      .then((line) => answer(queue, line))
      .then((said) => socket.end(`${JSON.stringify(said)}\n`))
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(path, done))
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy()
        server.close(() => done())
      }),
  }
}

/** A queue whose admin socket is open while the queue is started. */
export function withLocalDoor(queue: HouseQueue, path: string | null): HouseQueue {
  if (path === null) return queue
  let door: { close(): Promise<void> } | null = null
  return {
    ...queue,
    start: async () => {
      await queue.start()
      door ??= await openLocalDoor(path, queue)
    },
    stop: async (grace_ms) => {
      await door?.close()
      await queue.stop(grace_ms)
    },
  }
}

async function answer(queue: Asked, line: string): Promise<LocalAnswer> {
  try {
    const question = JSON.parse(line) as LocalQuestion
    if (question.ask === 'retry') return { revived: await queue.retry(String(question.id)) }
    const dead = await queue.dead()
    return { dead: dead.map((task) => ({ ...task, failed_at: task.failed_at.toISOString() })) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((done) => {
    let text = ''
    const take = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      if (text.includes('\n') || text.length > longestQuestion) done(text.split('\n', 1)[0]!)
    }
    socket.on('data', take)
    socket.once('end', () => done(text))
  })
}

/** Sends a request to the server of a data folder; null if none is running. */
export function askLocalDoor(path: string, question: LocalQuestion): Promise<LocalAnswer | null> {
  return new Promise((done, failed) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(patience_ms, () => socket.destroy(new Error('the running server does not respond')))
    socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(null) : failed(error),
    )
    socket.on('end', () => done(JSON.parse(text) as LocalAnswer))
  })
}
