import { readConfig } from '../packages/server/src/platform/config.ts'
import { DatabaseFailure } from '../packages/server/src/platform/database/failures.ts'
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts'
import { openQueue } from '../packages/server/src/platform/queue/open-queue.ts'
import type { HouseQueue } from '../packages/server/src/platform/queue/queue.ts'

const usage = `usage: npm run queue -- list           the dead tasks, newest first
       npm run queue -- retry <id>     gives one of them all its attempts again`

async function list(queue: HouseQueue): Promise<number> {
  const tasks = await queue.dead()
  for (const { id, task, error, failed_at, data } of tasks) {
    console.log(`${id}  ${failed_at.toISOString()}  ${task}\n  ${error}\n  ${JSON.stringify(data)}`)
  }
  if (tasks.length === 0) console.log('no dead tasks')
  return 0
}

async function retry(queue: HouseQueue, id: string): Promise<number> {
  const revived = await queue.retry(id)
  console.log(revived ? `${id} waits again` : `${id} is no dead task, or one with its key waits or runs already`)
  return revived ? 0 : 1
}

async function main([command, id]: readonly string[]): Promise<number> {
  const wanted = command === 'list' || (command === 'retry' && id !== undefined)
  if (!wanted) {
    console.error(usage)
    return 2
  }
  const database = await openDatabase(readConfig())
  try {
    const queue = await openQueue(database, [], { poll_s: 2, concurrency: 1 })
    try {
      return id === undefined ? await list(queue) : await retry(queue, id)
    } finally {
      await queue.stop(0)
    }
  } finally {
    await database.close()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof DatabaseFailure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
