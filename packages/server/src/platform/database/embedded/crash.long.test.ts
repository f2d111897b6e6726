import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { testCacheDir } from '../../../../test/database.ts'
import { DatabaseFailure } from '../failures.ts'
import { ownerOf } from '../raw.ts'
import { sql } from '../sql.ts'
import { openEmbedded } from './open.ts'
import { ensureTemplate } from './template.ts'

let home: string
before(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-crash-'))
})
after(() => fs.rm(home, { recursive: true, force: true }))

const address = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)

/** Starts another Node process that runs this module text. */
const startProcess = (text: string): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: ['ignore', 'pipe', 'inherit'] })

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve))

/** Kills the process after this many lines of output; resolves with all lines read. */
async function killAfter(child: ChildProcess, lines: number): Promise<string[]> {
  const heard: string[] = []
  const end = ended(child)
  for await (const line of createInterface({ input: child.stdout! })) {
    heard.push(line)
    if (heard.length === lines) child.kill('SIGKILL')
  }
  await end
  return heard
}

test('acknowledged rows survive SIGKILL, and the folder lock is released at once', async () => {
  const dir = path.join(home, 'data')
  const options = { dir, cacheDir: testCacheDir, statement_timeout_ms: 30_000 }
  const writer = `
    import { openEmbedded } from ${address('./open.ts')}
    import { ownerOf } from ${address('../raw.ts')}
    import { sql } from ${address('../sql.ts')}
    const database = await openEmbedded(${JSON.stringify(options)})
    await database.runScript('create table if not exists rows (id bigint)')
    for (let at = 0; ; at += 1) {
      await ownerOf(database).transaction((tx) => tx.query(sql\`insert into rows values (\${at})\`))
      console.log(String(at))
    }`
  for (const lines of [5, 40]) {
    const heard = await killAfter(startProcess(writer), lines)
    assert.ok(heard.length >= lines)
    const database = await openEmbedded(options)
    try {
      const rows = await ownerOf(database).query<{ id: number }>(sql`select id from rows`)
      const found = new Set(rows.map((row) => String(row.id)))
      assert.deepEqual(
        heard.filter((line) => !found.has(line)),
        [],
      )
      await database.runScript('truncate rows')
    } finally {
      await database.close()
    }
  }
})

test('a second process is rejected with the pid of the lock holder', async () => {
  const dir = path.join(home, 'held')
  const options = { dir, cacheDir: testCacheDir, statement_timeout_ms: 30_000 }
  const holder = startProcess(`
    import { openEmbedded } from ${address('./open.ts')}
    await openEmbedded(${JSON.stringify(options)})
    console.log('open')`)
  const end = ended(holder)
  await Promise.race([end, new Promise((resolve) => holder.stdout!.once('data', resolve))])
  await assert.rejects(openEmbedded(options), (error) => {
    assert.ok(error instanceof DatabaseFailure && error.failure === 'folder-in-use')
    assert.match(error.message, new RegExp(`in use by process ${holder.pid} since `))
    return true
  })
  holder.kill('SIGKILL')
  await end
  const database = await openEmbedded(options)
  await database.ping()
  await database.close()
})

test('a template is complete or absent, even if a process is killed while creating it', async () => {
  const cacheDir = path.join(home, 'cache')
  const maker = `
    import { ensureTemplate } from ${address('./template.ts')}
    console.log('begun')
    await ensureTemplate(${JSON.stringify(cacheDir)})
    console.log('whole')`
  const first = startProcess(maker)
  const end = ended(first)
  await new Promise((resolve) => first.stdout!.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  first.kill('SIGKILL')
  await end
  assert.deepEqual(
    (await fs.readdir(cacheDir)).filter((name) => !/\.(tmp-\d+|lock|holder)$/.test(name)),
    [],
  )
  const other = startProcess(maker)
  const [template] = await Promise.all([ensureTemplate(cacheDir), ended(other)])
  assert.deepEqual(
    (await fs.readdir(cacheDir)).filter((name) => !name.endsWith('.lock')),
    [path.basename(template)],
  )
  const database = await openEmbedded({
    dir: path.join(home, 'copy'),
    cacheDir,
    statement_timeout_ms: 30_000,
    durable: false,
  })
  assert.deepEqual(
    await ownerOf(database).query(sql`select count(*) as count from pg_extension where extname = 'postgis'`),
    [{ count: 1 }],
  )
  await database.close()
})
