import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { EmbeddedDatabaseProgram } from '../../../../test/crash/use-embedded-database.ts'
import { testCacheDir } from '../../../../test/database.ts'
import { DatabaseFailure } from '../failures.ts'
import { getSchemaOwnerConnection } from '../raw.ts'
import { sql } from '../sql.ts'
import { openEmbeddedPostgres } from './open.ts'
import { ensureDatabaseTemplate } from './template.ts'

let folder: string
before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-crash-'))
})
after(() => fs.rm(folder, { recursive: true, force: true }))

const processFile = fileURLToPath(new URL('../../../../test/crash/use-embedded-database.ts', import.meta.url))

const startProcess = (program: EmbeddedDatabaseProgram, options: object): ChildProcess =>
  spawn(process.execPath, [processFile, program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })

const waitForExit = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve))

/** Kills the process after this many lines of output; resolves with all lines read. */
async function killAfter(child: ChildProcess, lines: number): Promise<string[]> {
  const linesRead: string[] = []
  const end = waitForExit(child)
  for await (const line of createInterface({ input: child.stdout! })) {
    linesRead.push(line)
    if (linesRead.length === lines) child.kill('SIGKILL')
  }
  await end
  return linesRead
}

test('acknowledged rows survive SIGKILL, and the folder lock is released at once', async () => {
  const dir = path.join(folder, 'data')
  const options = { dir, cacheDir: testCacheDir, statement_timeout_ms: 30_000 }
  for (const lines of [5, 40]) {
    const linesRead = await killAfter(startProcess('write-rows', options), lines)
    assert.ok(linesRead.length >= lines)
    const database = await openEmbeddedPostgres(options)
    try {
      const rows = await getSchemaOwnerConnection(database).query<{ id: number }>(sql`select id from rows`)
      const found = new Set(rows.map((row) => String(row.id)))
      assert.deepEqual(
        linesRead.filter((line) => !found.has(line)),
        [],
      )
      await database.runScript('truncate rows')
    } finally {
      await database.close()
    }
  }
})

test('a second process is rejected with the pid of the lock holder', async () => {
  const dir = path.join(folder, 'held')
  const options = { dir, cacheDir: testCacheDir, statement_timeout_ms: 30_000 }
  const holder = startProcess('hold-folder', options)
  const end = waitForExit(holder)
  await Promise.race([end, new Promise((resolve) => holder.stdout!.once('data', resolve))])
  await assert.rejects(openEmbeddedPostgres(options), (error) => {
    assert.ok(error instanceof DatabaseFailure && error.failure === 'folder-in-use')
    assert.match(error.message, new RegExp(`in use by process ${holder.pid} since `))
    return true
  })
  holder.kill('SIGKILL')
  await end
  const database = await openEmbeddedPostgres(options)
  await database.ping()
  await database.close()
})

test('a template is complete or absent, even if a process is killed while creating it', async () => {
  const cacheDir = path.join(folder, 'cache')
  const startBuilder = (): ChildProcess => startProcess('make-template', { cacheDir })
  const first = startBuilder()
  const end = waitForExit(first)
  await new Promise((resolve) => first.stdout!.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  first.kill('SIGKILL')
  await end
  assert.deepEqual(
    (await fs.readdir(cacheDir)).filter((name) => !/\.(tmp-\d+|lock|holder|tar)$/.test(name)),
    [],
  )
  const other = startBuilder()
  const [template] = await Promise.all([ensureDatabaseTemplate(cacheDir), waitForExit(other)])
  assert.deepEqual(
    (await fs.readdir(cacheDir)).filter((name) => !name.endsWith('.lock') && !name.startsWith('postgis-')),
    [path.basename(template)],
  )
  const database = await openEmbeddedPostgres({
    dir: path.join(folder, 'copy'),
    cacheDir,
    statement_timeout_ms: 30_000,
    durable: false,
  })
  assert.deepEqual(
    await getSchemaOwnerConnection(database).query(
      sql`select count(*) as count from pg_extension where extname = 'postgis'`,
    ),
    [{ count: 1 }],
  )
  await database.close()
})
