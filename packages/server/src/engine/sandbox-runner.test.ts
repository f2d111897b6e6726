import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { createOrganizationClocks } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { DueRowsQuery } from '../platform/sandbox/due-rows.ts'
import { sql } from '../platform/database/sql.ts'
import { createLogger } from '../platform/log.ts'
import type { TaskQueue } from '../platform/queue/queue.ts'
import { createSandboxWorkRunner } from './sandbox-runner.ts'
import type { DueWork } from './task.ts'
import type { TaskRunDependencies } from './task-definition.ts'

const organization = '00000000-0000-8000-8000-000000000001'
const start = new Date('2026-03-01T12:00:00Z')
const soon = new Date('2026-03-01T13:00:00Z')

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const rowsAt = (times: readonly Date[]): DueRowsQuery => ({
  from: sql`unnest(${[...times]}::timestamptz[]) as time`,
  where: sql`true`,
  at: sql`time`,
})

/** Work whose rows are these times; `run` may change them. */
const workAt = (name: string, times: Date[], run: () => void): DueWork => ({
  name,
  dueRows: () => [rowsAt(times)],
  runDue: async () => run(),
})

/** A runner with so many waiting tasks, and a log of what it does. */
function openRunner(
  createWork: (log: string[], tasks: string[]) => readonly DueWork[],
  waiting: readonly string[] = [],
) {
  const log: string[] = []
  const tasks = [...waiting]
  const clock = createOrganizationClocks({ now: () => start })
  clock.setSandboxTime(organization, start)
  const queue = {
    sandboxTaskRows: () => rowsAt(tasks.length > 0 ? [start] : []),
    runDueSandboxTask: async () => {
      const task = tasks.shift()
      if (task !== undefined) log.push(`task ${task}`)
      return task !== undefined
    },
  } as Partial<TaskQueue> as TaskQueue
  const integrations = { forSandbox: () => ({}) } as unknown as TaskRunDependencies['integrations']
  const dependencies: Partial<TaskRunDependencies> = {
    database,
    clock,
    integrations,
    log: createLogger({ level: 'fatal' }),
  }
  const required = dependencies as TaskRunDependencies
  return { log, runner: createSandboxWorkRunner({ dependencies: required, queue, dueWork: createWork(log, tasks) }) }
}

const run = (shouldContinue: () => boolean = () => true) => ({
  organization,
  signal: new AbortController().signal,
  shouldContinue,
  onTask: async () => {},
})

test('does only due work, after the waiting tasks, and returns the next due time', async () => {
  const early: Date[] = [start]
  const { log, runner } = openRunner(
    (log) => [
      workAt('later', [soon], () => void log.push('later')),
      workAt('due', early, () => {
        log.push('due')
        early.length = 0
      }),
    ],
    ['first', 'second'],
  )
  assert.deepEqual(await runner.runDue(run()), { next_due_at: soon })
  assert.deepEqual(log, ['task first', 'task second', 'due'])
  assert.deepEqual(await runner.findNextDue(run()), soon)
})

test('does work that stays due once, and again only after a task', async () => {
  const { log, runner } = openRunner((log, tasks) => [
    workAt('stuck', [start], () => {
      log.push('stuck')
      if (log.length === 1) tasks.push('of the work')
    }),
  ])
  assert.deepEqual(await runner.runDue(run()), { next_due_at: null })
  assert.deepEqual(log, ['stuck', 'task of the work', 'stuck'])
})

test('does work that other work has made due at the same time', async () => {
  const made: Date[] = []
  const cause: Date[] = [start]
  const { log, runner } = openRunner((log) => [
    workAt('effect', made, () => {
      log.push('effect')
      made.length = 0
    }),
    workAt('cause', cause, () => {
      log.push('cause')
      cause.length = 0
      made.push(start)
    }),
  ])
  assert.deepEqual(await runner.runDue(run()), { next_due_at: null })
  assert.deepEqual(log, ['cause', 'effect'])
})

test('stops between two tasks', async () => {
  let calls = 0
  const { log, runner } = openRunner(() => [], ['first', 'second'])
  assert.equal(await runner.runDue(run(() => calls++ < 1)), null)
  assert.deepEqual(log, ['task first'])
})
