import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isTestedCase } from '../contract/short-form.ts'
import { testDatabaseUrl } from '../database.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** Matches a journey that starts the app by settings alone, without its own clock, hosts or background. */
const startedBySettings = /startTestApp\(\)|startTestApp\(\{ environment:/

/** The journeys of the short lane that separate processes can serve, as paths from the root; in the short form every second. */
async function findMultiProcessJourneys(): Promise<string[]> {
  const names = (await readdir(import.meta.dirname)).filter((name) => /^[^.]+\.test\.ts$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  return names
    .filter((_, index) => startedBySettings.test(texts[index]!))
    .filter((name, index) => isTestedCase(index, 2) || name === 'idempotency.test.ts')
    .map((name) => `packages/server/test/journeys/${name}`)
}

/** Several processes need a PostgreSQL server; registered only if the run has one. */
if (testDatabaseUrl() !== null) {
  test('the journeys pass with two API processes behind a load balancer and one worker', async () => {
    const journeys = await findMultiProcessJourneys()
    assert.ok(
      journeys.some((path) => path.endsWith('/idempotency.test.ts')),
      journeys.join(' '),
    )
    // A nested test run uses the protocol of the outer one unless this variable is unset.
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const testRun = spawn(
      process.execPath,
      [join(root, 'tools', 'launch', 'test.mjs'), ...journeys, '--test-concurrency=1'],
      { env: { ...environment, TEST_SERVING_PROCESSES: '2' }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    testRun.stdout.on('data', (part: Buffer) => (output += String(part)))
    const [code] = await once(testRun, 'close')
    assert.equal(code, 0, output)
    assert.match(output, /fail 0/)
  })
}
