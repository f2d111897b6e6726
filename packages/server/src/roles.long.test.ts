import { everyScope } from '@swath/client/every-scope.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { placeFirstSceneOrder, getOrderStatus, waitUntilDelivered } from '../test/delivered-order.ts'
import { freePort } from '../test/free-port.mjs'
import { stopServerProcess, startServerProcess, waitForOutput } from '../test/server-processes.ts'

const login = { username: 'admin@example.com', password: 'a password for roles', scope: everyScope }

/** Only PostgreSQL allows several processes; registered if the test run has a PostgreSQL server. */
function registerServerTests(server: string): void {
  let folder: string
  let environment: Record<string, string>
  let drop: () => Promise<void>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swath-roles-'))
    const database = await createTestDatabase(server)
    drop = database.drop
    const port = await freePort()
    environment = {
      SWATH_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      SWATH_PLAY_MONEY: 'on',
      SWATH_DEMO: 'on',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
    }
  })
  after(async () => {
    await drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('a serve process runs no task, and a worker process listens on no port', async () => {
    const base = environment['BASE_URL']!
    const serveProcess = startServerProcess({ ...environment, SWATH_ROLE: 'serve' })
    await waitForOutput(serveProcess, /is ready at/)
    const client = createClient({ baseUrl: base, token: createTokenSource(base, login) })
    const order = await placeFirstSceneOrder(client)
    const before = await getOrderStatus(client, order)
    assert.notEqual(before, 'FULFILLED')

    // The same port as the other process: it would fail to start if it listened.
    const workerProcess = startServerProcess(environment, 'worker')
    await waitForOutput(workerProcess, /listens on no port/)
    await waitUntilDelivered(client, order, workerProcess)
    await stopServerProcess(serveProcess)
    await assert.rejects(fetch(`${base}/healthz`))
    await stopServerProcess(workerProcess)
  })

  test('a process with another secret, data folder or blob store exits with a one-line error', async () => {
    for (const [overrides, expectedError] of [
      [{ SWATH_SECRET: 'x'.repeat(32) }, /^The database was created with another master secret; .*SWATH_SECRET.*\.\n$/],
      [{ SWATH_DATA_DIR: join(folder, 'other') }, /^The database was created with another master secret; .*\.\n$/],
      [
        { STORAGE_URL: 's3://scenes', AWS_REGION: 'eu-west-1' },
        /^The database was created with another blob store; .*STORAGE_URL.*\.\n$/,
      ],
    ] as const) {
      const rejected = startServerProcess({ ...environment, ...overrides })
      assert.equal((await once(rejected.child, 'close'))[0], 1)
      assert.match(rejected.output.err, expectedError)
    }
  })

  test('an unknown command, and a role on the embedded database, exit with a one-line error', async () => {
    for (const [environmentOfProcess, command, expectedError] of [
      [environment, ['wrok'], /the command must be serve or worker/],
      [{ SWATH_DATA_DIR: join(folder, 'embedded') }, ['worker'], /SWATH_ROLE must be all without DATABASE_URL/],
    ] as const) {
      const rejected = startServerProcess(environmentOfProcess, ...command)
      assert.equal((await once(rejected.child, 'close'))[0], 1)
      assert.match(rejected.output.err, expectedError)
    }
  })
}

const server = testDatabaseUrl()
if (server) registerServerTests(server)
