import { readConfig } from '../packages/server/src/platform/config.ts'
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts'
import {
  sendAdminRequest,
  findAdminSocketPath,
  type AdminSocketResponse,
  type AdminSocketRequest,
} from '../packages/server/src/platform/queue/admin-socket.ts'
import { openQueue } from '../packages/server/src/platform/queue/open-queue.ts'
import { runCommand } from './command.ts'

const usage = `usage: npm run queue -- list           lists dead tasks, newest first
       npm run queue -- retry <id>     retries a dead task with all its attempts`

function parseRequest([command, id]: readonly string[]): AdminSocketRequest | null {
  if (command === 'list') return { ask: 'dead' }
  return command === 'retry' && id !== undefined ? { ask: 'retry', id } : null
}

/** Sends the request to the running server's admin socket; if there is none, opens the queue here. */
async function sendRequest(request: AdminSocketRequest): Promise<AdminSocketResponse> {
  const config = readConfig()
  const socketPath = config.database_url ? null : findAdminSocketPath(config.data_dir)
  const response = socketPath === null ? null : await sendAdminRequest(socketPath, request)
  if (response) return response
  const database = await openDatabase(config)
  try {
    const queue = await openQueue(database, [], { poll_s: 2, concurrency: 1 })
    try {
      if (request.ask === 'retry') return { revived: await queue.retry(request.id) }
      const dead = await queue.dead()
      return { dead: dead.map((task) => ({ ...task, failed_at: task.failed_at.toISOString() })) }
    } finally {
      await queue.stop(0)
    }
  } finally {
    await database.close()
  }
}

function printResponse(request: AdminSocketRequest, response: AdminSocketResponse): number {
  if ('fault' in response) {
    console.error(response.fault)
    return 1
  }
  if ('dead' in response) {
    for (const { id, task, error, failed_at, data } of response.dead) {
      console.log(`${id}  ${failed_at}  ${task}\n  ${error}\n  ${JSON.stringify(data)}`)
    }
    if (response.dead.length === 0) console.log('no dead tasks')
    return 0
  }
  const id = request.ask === 'retry' ? request.id : ''
  const isRevived = 'revived' in response && response.revived
  console.log(
    isRevived
      ? `${id} is queued again`
      : `${id} is not a dead task, or a task with its key is already queued or running`,
  )
  return isRevived ? 0 : 1
}

async function main(args: readonly string[]): Promise<number> {
  const request = parseRequest(args)
  if (request) return printResponse(request, await sendRequest(request))
  console.error(usage)
  return 2
}

await runCommand(main)
