import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import type { DeadTask, TaskQueue } from './queue.ts'

/** The requests of an operator on the same machine to a running server. */
export type AdminSocketRequest =
  | { readonly ask: 'dead' }
  | { readonly ask: 'retry'; readonly id: string }
  | { readonly ask: 'terminal-key' }

/** A dead task as JSON: its date is text. */
export type DeadTaskJson = Omit<DeadTask, 'failed_at'> & { readonly failed_at: string }

export type AdminSocketResponse =
  | { readonly dead: readonly DeadTaskJson[] }
  | { readonly revived: boolean }
  | { readonly terminal_key: string | null }
  | { readonly fault: string }

const max_request_length = 1000
/** The limit of the operating system for a socket path. */
const max_socket_path_length = 100
const timeout_ms = 10_000

/** The socket path of a server with this data folder; null if it would be too long. */
export function findAdminSocketPath(data_dir: string): string | null {
  const path = resolve(data_dir, 'admin.sock')
  return path.length <= max_socket_path_length && process.platform !== 'win32' ? path : null
}

/** The handlers of the requests. */
export interface AdminUnixSocketHandlers extends Pick<TaskQueue, 'dead' | 'retry'> {
  /** Replaces the key of tools on this machine; returns the path of its file, null if this server has none. */
  renewTerminalApiKey(): Promise<string | null>
}

/**
 * Opens the admin socket: a socket in the data folder that only its owner can use. Only the running server can use the
 * embedded database, so a tool must send its requests to the server. One line of JSON per request and response. There is no
 * token and no network: whoever can open the socket could read the folder as well. A tool tries the socket first, and opens the
 * database itself if nothing responds; on PostgreSQL always. Migrations need exclusive access, so they have no request.
 */
export async function openAdminSocket(
  path: string,
  handlers: AdminUnixSocketHandlers,
): Promise<{ close(): Promise<void> }> {
  // The folder is locked by this process, so an existing socket is left over from a dead process.
  await rm(path, { force: true })
  const openSockets = new Set<Socket>()
  const server = createServer((socket) => {
    openSockets.add(socket)
    socket.setTimeout(timeout_ms, () => socket.destroy()).on('error', () => socket.destroy())
    socket.once('close', () => openSockets.delete(socket))
    void readLine(socket)
      .then((line) => handleRequest(handlers, line))
      .then((response) => socket.end(`${JSON.stringify(response)}\n`))
  })
  await new Promise<void>((resolvePromise, rejectPromise) =>
    server.once('error', rejectPromise).listen(path, resolvePromise),
  )
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((resolvePromise) => {
        for (const socket of openSockets) socket.destroy()
        server.close(() => resolvePromise())
      }),
  }
}

/** A queue whose admin socket is open while the queue is started. */
export function withAdminSocket(
  queue: TaskQueue,
  path: string | null,
  { renewTerminalApiKey }: Pick<AdminUnixSocketHandlers, 'renewTerminalApiKey'>,
): TaskQueue {
  if (path === null) return queue
  let adminSocket: { close(): Promise<void> } | null = null
  return {
    ...queue,
    start: async () => {
      await queue.start()
      adminSocket ??= await openAdminSocket(path, { ...queue, renewTerminalApiKey })
    },
    stop: async (grace_ms) => {
      await adminSocket?.close()
      await queue.stop(grace_ms)
    },
  }
}

async function handleRequest(handlers: AdminUnixSocketHandlers, line: string): Promise<AdminSocketResponse> {
  try {
    const request = JSON.parse(line) as AdminSocketRequest
    if (request.ask === 'retry') return { revived: await handlers.retry(String(request.id)) }
    if (request.ask === 'terminal-key') return { terminal_key: await handlers.renewTerminalApiKey() }
    const dead = await handlers.dead()
    return { dead: dead.map((task) => ({ ...task, failed_at: task.failed_at.toISOString() })) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolvePromise) => {
    let text = ''
    const readChunk = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      if (text.includes('\n') || text.length > max_request_length) resolvePromise(text.split('\n', 1)[0]!)
    }
    socket.on('data', readChunk)
    socket.once('end', () => resolvePromise(text))
  })
}

/** Sends a request to the server of a data folder; null if none is running. */
export function sendAdminRequest(path: string, request: AdminSocketRequest): Promise<AdminSocketResponse | null> {
  return new Promise((resolvePromise, rejectPromise) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(timeout_ms, () => socket.destroy(new Error('the running server does not respond')))
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolvePromise(null) : rejectPromise(error),
    )
    socket.on('end', () => resolvePromise(JSON.parse(text) as AdminSocketResponse))
  })
}
