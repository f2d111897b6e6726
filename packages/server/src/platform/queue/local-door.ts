import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import type { DeadTask, HouseQueue } from './queue.ts'

/** What an operator on the same machine may ask of a running house. */
export type LocalQuestion = { readonly ask: 'dead' } | { readonly ask: 'retry'; readonly id: string }

/** A dead task as it travels: times are text. */
export type ToldTask = Omit<DeadTask, 'failed_at'> & { readonly failed_at: string }

export type LocalAnswer =
  | { readonly dead: readonly ToldTask[] }
  | { readonly revived: boolean }
  | { readonly fault: string }

const longestQuestion = 1000
/** What the system takes for the path of a socket. */
const longestPath = 100
const patience_ms = 10_000

/** Where a house with this data folder listens; null where the path would be too long for a socket. */
export function localDoorPath(data_dir: string): string | null {
  const path = resolve(data_dir, 'house.sock')
  return path.length <= longestPath && process.platform !== 'win32' ? path : null
}

type Asked = Pick<HouseQueue, 'dead' | 'retry'>

/**
 * Opens the door: a socket in the data folder that only its owner can use. The embedded database belongs to the running
 * house alone, so a tool beside it has to ask the house. One line of JSON in, one line out.
 */
export async function openLocalDoor(path: string, queue: Asked): Promise<{ close(): Promise<void> }> {
  // The folder's lock is held: a socket that is there was left by a process that is gone.
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

/** The queue with its door: open while work is done. */
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

/** Asks the house that runs on a data folder; null where none does. */
export function askLocalDoor(path: string, question: LocalQuestion): Promise<LocalAnswer | null> {
  return new Promise((done, failed) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(patience_ms, () => socket.destroy(new Error('the running house does not answer')))
    socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(null) : failed(error),
    )
    socket.on('end', () => done(JSON.parse(text) as LocalAnswer))
  })
}
