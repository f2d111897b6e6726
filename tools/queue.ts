import { readConfig } from '../packages/server/src/platform/config.ts'
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts'
import {
  askLocalDoor,
  localDoorPath,
  type LocalAnswer,
  type LocalQuestion,
} from '../packages/server/src/platform/queue/local-door.ts'
import { openQueue } from '../packages/server/src/platform/queue/open-queue.ts'
import { runCommand } from './command.ts'

const usage = `usage: npm run queue -- list           lists dead tasks, newest first
       npm run queue -- retry <id>     retries a dead task with all its attempts`

function questionOf([command, id]: readonly string[]): LocalQuestion | null {
  if (command === 'list') return { ask: 'dead' }
  return command === 'retry' && id !== undefined ? { ask: 'retry', id } : null
}

/** Sends the request to the running server's admin socket; if there is none, opens the queue here. */
async function ask(question: LocalQuestion): Promise<LocalAnswer> {
  const config = readConfig()
  const door = config.database_url ? null : localDoorPath(config.data_dir)
  const told = door === null ? null : await askLocalDoor(door, question)
  if (told) return told
  const database = await openDatabase(config)
  try {
    const queue = await openQueue(database, [], { poll_s: 2, concurrency: 1 })
    try {
      if (question.ask === 'retry') return { revived: await queue.retry(question.id) }
      const dead = await queue.dead()
      return { dead: dead.map((task) => ({ ...task, failed_at: task.failed_at.toISOString() })) }
    } finally {
      await queue.stop(0)
    }
  } finally {
    await database.close()
  }
}

function tell(question: LocalQuestion, answer: LocalAnswer): number {
  if ('fault' in answer) {
    console.error(answer.fault)
    return 1
  }
  if ('dead' in answer) {
    for (const { id, task, error, failed_at, data } of answer.dead) {
      console.log(`${id}  ${failed_at}  ${task}\n  ${error}\n  ${JSON.stringify(data)}`)
    }
    if (answer.dead.length === 0) console.log('no dead tasks')
    return 0
  }
  const id = question.ask === 'retry' ? question.id : ''
  console.log(
    answer.revived ? `${id} is queued again` : `${id} is not a dead task, or a task with its key is already queued or running`,
  )
  return answer.revived ? 0 : 1
}

async function main(words: readonly string[]): Promise<number> {
  const question = questionOf(words)
  if (question) return tell(question, await ask(question))
  console.error(usage)
  return 2
}

await runCommand(main)
