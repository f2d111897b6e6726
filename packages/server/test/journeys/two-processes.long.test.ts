import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testServer } from '../database.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** How a journey boots the product that can be told by settings alone: it hands in no clock, no host and no haste. */
const bySettings = /bootHouse\(\)|bootHouse\(\{ environment:/

/** The journeys of the short lane that other processes can serve, as paths from the root. */
async function journeysOfProcesses(): Promise<string[]> {
  const names = (await readdir(import.meta.dirname)).filter((name) => /^[^.]+\.test\.ts$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  return names
    .filter((_, index) => bySettings.test(texts[index]!))
    .map((name) => `packages/server/test/journeys/${name}`)
}

/** Only a server has more than one process; registered where the run has one. */
if (testServer() !== null) {
  test('the journeys succeed over two serving processes that answer alternately, and one that works', async () => {
    const journeys = await journeysOfProcesses()
    assert.ok(
      journeys.some((path) => path.endsWith('/idempotency.test.ts')),
      journeys.join(' '),
    )
    // The tests of another run of tests speak its protocol unless they are told to print.
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const tested = spawn(
      process.execPath,
      [join(root, 'tools', 'launch', 'test.mjs'), ...journeys, '--test-concurrency=1'],
      { env: { ...environment, TEST_SERVING_PROCESSES: '2' }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let printed = ''
    tested.stdout.on('data', (part: Buffer) => (printed += String(part)))
    const [code] = await once(tested, 'close')
    assert.equal(code, 0, printed)
    assert.match(printed, /fail 0/)
  })
}
